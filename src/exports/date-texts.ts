import { formatDateTime } from '../registry/date-time.js';

/** Dates that are kept as text. */
const KEPT = 1_000;

/** Dates of samples as text, of which those of one sheet share a few. */
export class DateTexts {
  readonly #texts = new Map<number, string>();

  text(ms: number): string {
    let text = this.#texts.get(ms);
    if (text === undefined) {
      if (this.#texts.size >= KEPT) this.#texts.clear();
      text = formatDateTime(ms);
      this.#texts.set(ms, text);
    }
    return text;
  }
}
