/** Of how many samples an edit's changes change nothing, and why: gathered by batch, counted by the store with its rows. */

import { type ChangeOutcome, columnOf, type SampleChange } from '../../registry/changes/sample-change-list.js';
import type { NoteCode } from '../../registry/issue-codes.js';
import type { RowNote } from '../../registry/samples/sample-batch.js';

type Nothing = Exclude<ChangeOutcome, 'changed'>;

const MESSAGES: Record<Nothing, string> = {
  already: 'These samples have it already and stay as they are.',
  lacking: 'These samples have no such characteristic.',
};

export const NOTE_CODES = { already: 'edit.already', lacking: 'edit.lacking' } as const satisfies Record<
  Nothing,
  NoteCode
>;

export class EditNotes {
  readonly #columns: string[];
  #notes = new Map<string, RowNote>();

  constructor(changes: readonly SampleChange[]) {
    this.#columns = changes.map(columnOf);
  }

  /** Of one line; asked in order of lines. */
  add(line: number, outcomes: readonly (ChangeOutcome | undefined)[]): void {
    for (const [at, outcome] of outcomes.entries()) {
      if (outcome !== 'already' && outcome !== 'lacking') continue;
      const column = this.#columns[at] as string;
      const key = `${outcome}\t${column}`;
      const note = this.#notes.get(key) ?? {
        code: NOTE_CODES[outcome],
        column,
        message: MESSAGES[outcome],
        lines: [],
      };
      this.#notes.set(key, note);
      const last = note.lines.at(-1);
      if (last && last[0] + last[1] === line) last[1]++;
      else note.lines.push([line, 1]);
    }
  }

  /** Those since it was last asked. */
  take(): RowNote[] {
    const notes = [...this.#notes.values()];
    this.#notes = new Map();
    return notes;
  }
}
