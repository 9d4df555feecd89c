// The date a copy is kept under: local time, sortable, and fit for the name of a file.
export function dateStamp(time: number): string {
  const date = new Date(time);
  const day = [date.getFullYear(), date.getMonth() + 1, date.getDate()];
  const hour = [date.getHours(), date.getMinutes(), date.getSeconds()];
  return [day, hour].map((parts) => parts.map((part) => String(part).padStart(2, '0')).join('-')).join('T');
}
