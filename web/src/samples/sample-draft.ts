/** An edit of a sample that has not been stored yet. */
import { type DraftPlace, useDraft, useHasDraft } from '../drafts/use-draft.js';
import type { EditedRow } from './edited-sample.js';

export interface SampleDraft {
  /** Tag of the version that is being edited: another one is not overwritten unseen. */
  etag: string | undefined;
  name: string;
  /** `2026-11-21`. */
  release: string;
  rows: EditedRow[];
}

/** The draft of one sample; its value is undefined while nobody edits it. */
export const useSampleDraft = (accession: string) => useDraft(placeOf(accession));

/** Whether somebody edits the sample. */
export const useHasSampleDraft = (accession: string) => useHasDraft(placeOf(accession));

const placeOf = (accession: string): DraftPlace<SampleDraft> => ({
  key: `sample ${accession}`,
  title: `Changes of sample ${accession}`,
  path: `/samples/${accession}`,
  read: readSampleDraft,
});

function readSampleDraft(value: unknown): SampleDraft | undefined {
  const { etag, name, release, rows } = (value ?? {}) as Record<string, unknown>;
  if (typeof name !== 'string' || typeof release !== 'string' || !Array.isArray(rows)) return undefined;
  return { etag: typeof etag === 'string' ? etag : undefined, name, release, rows: rows.filter(isRow) };
}

const isRow = (row: unknown): row is EditedRow => {
  const { key, name, text, unit, terms } = (row ?? {}) as Record<string, unknown>;
  return typeof key === 'number' && [name, text, unit, terms].every((part) => typeof part === 'string');
};
