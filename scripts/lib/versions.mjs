// Compares version numbers; nothing else.

/**
 * @param {string} version such as `v24.21.0`
 * @param {readonly number[]} minimum such as `[22, 22]`
 */
export const isAtLeast = (version, minimum) => {
  const numbers = version
    .replace(/^v/, '')
    .split('.')
    .map((part) => Number.parseInt(part, 10));
  for (const [index, wanted] of minimum.entries()) {
    const number = numbers[index] ?? 0;
    if (number !== wanted) return number > wanted;
  }
  return true;
};
