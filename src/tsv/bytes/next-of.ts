/** Finds one character at rising positions, searching each stretch of text once however many short rows lie in it. */
export class NextOf {
  #at = -1;

  constructor(
    private readonly text: string,
    private readonly sought: string,
  ) {}

  /** Position of the next one at or after `position`; the length of the text when there is none. */
  from(position: number): number {
    if (this.#at < position) {
      const found = this.text.indexOf(this.sought, position);
      this.#at = found < 0 ? this.text.length : found;
    }
    return this.#at;
  }
}
