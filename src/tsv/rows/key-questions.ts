/** What a survey must know of the keys of its rows: asked in portions, kept as numbers where the answer is good. */
import type { Issue } from '../../registry/samples/sample-batch.js';
import type { Float64List } from './number-list.js';
import type { KeyOfRow, SurveyOptions } from './reading.js';

/** Rows asked for at once. */
const ASKED = 5000;

export class KeyQuestions {
  /** By ordinal. */
  readonly bad = new Map<number, Issue>();
  #ordinals: number[] = [];
  #rows: KeyOfRow[] = [];

  constructor(private readonly decide: NonNullable<SurveyOptions['decideKeys']>) {}

  ask(ordinal: number, row: KeyOfRow): void {
    this.#ordinals.push(ordinal);
    this.#rows.push(row);
  }

  /** Writes the samples that rows mean over their numbers, once that is worth a question; all of them with `last`. */
  async answer(last: boolean, ids: Float64List): Promise<void> {
    if (!last && this.#rows.length < ASKED) return;
    const ordinals = this.#ordinals;
    const rows = this.#rows;
    this.#ordinals = [];
    this.#rows = [];
    for (let from = 0; from < rows.length; from += ASKED) {
      const decisions = await this.decide(rows.slice(from, from + ASKED));
      decisions.forEach((decision, at) => {
        const ordinal = ordinals[from + at] as number;
        if ('issue' in decision) this.bad.set(ordinal, decision.issue);
        else ids.set(ordinal, decision.id);
      });
    }
  }
}
