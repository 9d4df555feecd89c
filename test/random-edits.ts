// Owns edits of small texts by chance, the same for the same seed, each with a word that tells whose it is. Knows no editor.
const modulus = 2_147_483_647;
const mostLines = 30;

export class RandomEdits {
  readonly seed: number;
  #state: number;
  #lastWord = 0;

  /** SIDEKICKS_SEED repeats a run. */
  constructor() {
    this.seed = Number(process.env['SIDEKICKS_SEED'] ?? Date.now() % modulus) || 1;
    this.#state = this.seed;
  }

  /** A whole number from 0 that is less than `most`. */
  random(most: number): number {
    return (this.#state = (this.#state * 48_271) % modulus) % most;
  }

  /** Puts a line in, changes one or takes one away. */
  edited(text: string, who: string): string {
    const lines = text.split('\n').slice(0, -1);
    const at = this.random(lines.length + 1);
    const kind = this.random(4);
    if (kind === 0) lines.splice(at, 0, this.#word(who));
    else if (kind === 1 && lines.length > 3) lines.splice(at, 1);
    else if (at < lines.length) lines[at] = (lines[at] ?? '') + this.#word(who);
    else lines.push(this.#word(who));
    return `${lines.slice(-mostLines).join('\n')}\n`;
  }

  #word(who: string): string {
    return `${who}${(this.#lastWord += 1)};`;
  }
}

/** The words of the person in a text. */
export const wordsIn = (text: string): string[] => text.match(/me\d+;/g) ?? [];
