/** What a row takes away of the sample that it updates because its sheet has no column for it, or fewer than the sample has values. Pure. */
import { shorten } from '../../registry/row-issue.js';
import type { SampleLayout } from '../../registry/samples/packed-sample.js';
import type { SampleContent } from '../../registry/samples/sample.js';
import { fold } from '../../tsv/dialect.js';

const RECORDS = [
  ['contact', 'contact'],
  ['organization', 'organization'],
  ['publications', 'publication'],
] as const;

/** What no column of a sheet says: samples have it that were sent as JSON. */
const IN_NO_SHEET = ['taxId', 'domain'] as const;

export interface LostValue {
  /** In the words of a message. */
  text: string;
  /** A column would keep it. */
  inSheets: boolean;
}

/** An empty cell takes its value away on purpose; a column that is not there may have been left out of the sheet alone. */
export function lostValues(before: SampleContent, after: SampleContent, layout: SampleLayout): LostValue[] {
  const columns = columnsOf(layout);
  const written = valuesOf(after);
  const lost = [...valuesOf(before)].flatMap(([key, { label, values }]) => {
    const first = values[Math.max(columns.get(key) ?? 0, written.get(key)?.values.length ?? 0)];
    if (first === undefined) return [];
    const inSheets = !IN_NO_SHEET.some((member) => member === key);
    return [{ text: `${shorten(label)} "${shorten(first)}"`, inSheets }];
  });
  const beside = lostBeside(before, after, layout).map((text) => ({ text, inSheets: true }));
  return [...lost, ...beside];
}

/** As the end of a sentence. */
export function howToKeep(lost: readonly LostValue[]): string {
  const others = lost.filter(({ inSheets }) => !inSheets).map(({ text }) => text.split(' ', 1)[0]);
  const merge = `upload with update=merge${others.length === 0 ? '' : `, as no sheet has a column for ${others.join(' and ')}`}`;
  return others.length === lost.length ? merge : `add the columns, or ${merge}`;
}

interface Values {
  label: string;
  values: string[];
}

/** By what a column for them would be called. */
function valuesOf(content: SampleContent): Map<string, Values> {
  const found = new Map<string, Values>();
  const add = (label: string, value: string, key = label): void => {
    const known = found.get(key);
    if (known) known.values.push(value);
    else found.set(key, { label, values: [value] });
  };
  for (const [name, entries] of Object.entries(content.characteristics))
    for (const { text = '' } of entries) add(name, text, ofCharacteristic(name));
  for (const { type, target } of content.relationships) add(`relationship ${type}`, target);
  for (const { url } of content.externalReferences) add('external reference', url);
  for (const [part, word] of RECORDS)
    for (const record of content[part])
      for (const [member, text] of Object.entries(record)) add(`${word} ${member}`, text);
  for (const member of IN_NO_SHEET) if (content[member] !== undefined) add(member, String(content[member]));
  return found;
}

/** How many columns a sheet has for each. */
function columnsOf(layout: SampleLayout): Map<string, number> {
  const found = new Map<string, number>();
  const add = (key: string): void => void found.set(key, (found.get(key) ?? 0) + 1);
  for (const { name } of layout.characteristics) add(ofCharacteristic(name));
  for (const { type } of layout.relationships) add(`relationship ${type}`);
  for (const _ of layout.externalReferences) add('external reference');
  for (const [part, word] of RECORDS)
    for (const record of layout[part]) for (const member of Object.keys(record)) add(`${word} ${member}`);
  return found;
}

/** A name in other capitals is said of by itself (`value.other-name`). */
const ofCharacteristic = (name: string): string => `characteristic ${fold(name)}`;

/** Units and terms beside values that stay. */
function lostBeside(before: SampleContent, after: SampleContent, layout: SampleLayout): string[] {
  const texts: string[] = [];
  const seen = new Map<string, number>();
  for (const { name, unit, fixedUnit, terms, unitTerms } of layout.characteristics) {
    const nth = seen.get(name) ?? 0;
    seen.set(name, nth + 1);
    const was = before.characteristics[name]?.[nth];
    const is = after.characteristics[name]?.[nth];
    if (was === undefined || is === undefined) continue;
    const losesUnit = was.unit !== undefined && is.unit === undefined && unit === undefined && fixedUnit === undefined;
    if (losesUnit) texts.push(`the unit "${shorten(was.unit as string)}" of ${shorten(name)}`);
    if (isLost(was.ontologyTerms, is.ontologyTerms, terms)) texts.push(`the term of ${shorten(name)}`);
    if (!losesUnit && isLost(was.unitOntologyTerms, is.unitOntologyTerms, unitTerms))
      texts.push(`the term of the unit of ${shorten(name)}`);
  }
  return texts;
}

const isLost = (was: readonly string[] = [], is: readonly string[] = [], columns: readonly object[] = []): boolean =>
  was.length > 0 && is.length === 0 && columns.length === 0;
