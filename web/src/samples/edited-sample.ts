/** The characteristics of a sample as rows of a form, and back. */
import type { Characteristic, Sample } from '../api/samples.js';

export interface EditedRow {
  key: number;
  name: string;
  text: string;
  unit: string;
  /** Separated by blanks. */
  terms: string;
  /** What the row came from; parts that the form does not show stay with it. */
  entry?: Characteristic;
}

export function asRows(sample: Sample): EditedRow[] {
  return Object.entries(sample.characteristics)
    .flatMap(([name, entries]) => entries.map((entry) => ({ name, entry })))
    .map(({ name, entry }, key) => ({
      key,
      name,
      entry,
      text: entry.text ?? '',
      unit: entry.unit ?? '',
      terms: (entry.ontologyTerms ?? []).join(' '),
    }));
}

export type Lacking = 'name' | 'text';

/**
 * What a row lacks without which nothing that was typed into it would be stored. One of the sample whose value is taken out
 * lacks nothing: it is taken away, and listed as that.
 */
export function lackingIn({ name, text, unit, terms, entry }: EditedRow): Lacking | undefined {
  const [named, said] = [name.trim() !== '', text.trim() !== ''];
  if (said) return named ? undefined : 'name';
  const typed = [name, unit, terms].some((part) => part.trim() !== '');
  return entry === undefined && typed ? 'text' : undefined;
}

interface Edit {
  name: string;
  /** `2026-11-21`. */
  release: string;
  rows: readonly EditedRow[];
}

/** The whole sample with the edit in it; an unchanged date keeps its time of day. */
export function editedSample(sample: Sample, { name, release, rows }: Edit): Sample {
  const characteristics = Object.create(null) as Sample['characteristics'];
  for (const row of rows) {
    const key = row.name.trim();
    if (key === '' || row.text.trim() === '') continue;
    const entries = Object.hasOwn(characteristics, key) ? characteristics[key] : undefined;
    if (entries) entries.push(entryOf(row));
    else characteristics[key] = [entryOf(row)];
  }
  const kept = keptRelease(sample, release);
  // Structured data has an address of its own and is refused in a sample.
  const { data: _, ...rest } = sample;
  return { ...rest, name, ...(kept === undefined ? {} : { release: kept }), characteristics };
}

/** `day`: as it is in the form. */
export const keptRelease = (sample: Pick<Sample, 'release'>, day: string): string | undefined =>
  (sample.release ?? '').slice(0, 10) === day ? sample.release : day;

function entryOf({ text, unit, terms, entry }: EditedRow): Characteristic {
  const ontologyTerms = terms.split(/\s+/).filter(Boolean);
  const edited: Characteristic = { text: text.trim() };
  if (ontologyTerms.length > 0) edited.ontologyTerms = ontologyTerms;
  if (unit.trim() !== '') {
    edited.unit = unit.trim();
    const unitTerms = entry?.unit === edited.unit ? entry.unitOntologyTerms : undefined;
    if (unitTerms) edited.unitOntologyTerms = unitTerms;
  }
  return edited;
}
