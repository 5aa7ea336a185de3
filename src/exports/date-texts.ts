import { formatDateTime } from '../registry/date-time.js';

/** Dates that are kept. */
const KEPT = 1_000;

/** Dates of samples in some form, of which those of one sheet share a few. */
class KeptDates<Form> {
  readonly #forms = new Map<number, Form>();

  constructor(private readonly formOf: (text: string) => Form) {}

  of(ms: number): Form {
    let form = this.#forms.get(ms);
    if (form === undefined) {
      if (this.#forms.size >= KEPT) this.#forms.clear();
      form = this.formOf(formatDateTime(ms));
      this.#forms.set(ms, form);
    }
    return form;
  }
}

export const dateTexts = (): KeptDates<string> => new KeptDates((text) => text);
export const dateBytes = (): KeptDates<Uint8Array> => new KeptDates((text) => Buffer.from(text));
