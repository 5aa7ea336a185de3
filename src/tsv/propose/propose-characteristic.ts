/** A column that no rule takes for something else → the characteristic that it is kept as. */
import { fold } from '../dialect.js';
import type { CellReading, ColumnMeaning } from '../header/profile.js';
import { dateForm, decimalSign } from './cell-forms.js';
import * as say from './header-words.js';
import type { Confidence, KnownField, ProposedColumn } from './proposal.js';
import type { SeenColumn } from './seen-column.js';

export type Taken = Pick<ProposedColumn, 'meaning' | 'why' | 'confidence' | 'dateForms' | 'decimalDoubt'>;

/** What the columns are seen among. */
export interface Surroundings {
  columns: readonly SeenColumn[];
  /** The first two of those that have the same words in their header. */
  byWords: ReadonlyMap<string, readonly SeenColumn[]>;
  /** How many speak of the organism. */
  organisms: number;
  /** Texts of the column that names the samples. */
  names: ReadonlySet<string>;
  /** By folded name. */
  fields: ReadonlyMap<string, KnownField>;
  /** How many columns would be called so, by `calledName`. */
  called: ReadonlyMap<string, number>;
  /** Of this registry's accessions. */
  prefix: string;
  /** The allowed value that a text probably means. */
  meant: (text: string, allowed: readonly string[]) => string | undefined;
}

export function characteristic(column: SeenColumn, around: Surroundings): Taken {
  const { header, values } = column;
  const measured = measuredBy(column);
  const called = named(column, measured?.name ?? header, around);
  const { name, word, field, alone } = called;
  const read = valuesOf(column, word ?? name, field, around);
  const meaning: ColumnMeaning & CellReading = {
    as: 'characteristic',
    ...(name === header ? {} : { name }),
    ...(measured ? { unit: measured.unit } : {}),
    ...(Object.keys(read.values).length > 0 ? { values: read.values } : {}),
  };
  const reasons = reasonsOfName(called);
  if (measured)
    reasons.push(`Its header names the unit ${measured.unit}${values.empty ? '' : ', and its values are numbers'}.`);
  if (field && read.foreign.length > 0) reasons.push(noWordFor(read.foreign, field));
  const found = formOf(column, meaning, reasons);
  const undated = word === 'collection date' && !found.dated;
  const confidence = sureness(measured ? sureOfUnit(measured) : sureOfName(called), {
    doubtful: found.doubtful === true || !alone,
    less: [values.empty, read.guessed, read.foreign.length > 0, found.less, undated].includes(true),
    more: found.dated === true || meaning.decimal !== undefined,
  });
  if (reasons.length === 0) reasons.push('No rule knows this header: kept under it.');
  return {
    meaning,
    why: reasons.join(' '),
    confidence,
    ...(found.forms ? { dateForms: found.forms } : {}),
    ...(found.decimalDoubt ? { decimalDoubt: true } : {}),
  };
}

/** A star marks what an archive requires. */
const unstarred = (header: string): string => header.replace(/^\*+\s*(?=\S)/, '');

/** The name of the characteristic that a column would be, as names are compared. */
export function calledName({ own, words, key }: SeenColumn, fields: Surroundings['fields']): string {
  if (own?.as === 'characteristic') return fold(own.name ?? '');
  const base = unstarred(key);
  return fold(say.characteristicOf(words) ?? fields.get(base)?.name ?? fields.get(fold(words))?.name ?? base);
}

interface Named {
  name: string;
  word: string | undefined;
  field: KnownField | undefined;
  /** No other column would be called so. */
  alone: boolean;
}

/** The unit of the header, where the values may be numbers. */
const measuredBy = ({ values, unit }: SeenColumn): SeenColumn['unit'] =>
  unit && (values.numeric || values.empty || decimalSign(values)) ? unit : undefined;

const sureOfUnit = ({ marked }: { marked?: boolean }): Confidence => (marked ? 'high' : 'middle');

const sureOfName = ({ word, field }: Named): Confidence => (word !== undefined || field ? 'high' : 'low');

function reasonsOfName({ word, field, alone }: Named): string[] {
  const reasons: string[] = [];
  if (word !== undefined) reasons.push(`The header is a word for ${word}.`);
  else if (field) reasons.push(`The checklist ${field.checklist} has a field ${field.name}.`);
  if (!alone) reasons.push('Another column would be called so, too: each keeps its header.');
  return reasons;
}

/** What the characteristic is called; of two columns that would be called alike each keeps its header. */
function named(column: SeenColumn, header: string, { fields, called }: Surroundings): Named {
  const base = unstarred(header);
  const field = fields.get(fold(base)) ?? fields.get(fold(column.words));
  const word = say.characteristicOf(say.wordsOf(header));
  const alone = called.get(calledName(column, fields)) === 1;
  return { name: alone ? (word ?? field?.name ?? base) : column.header, word, field, alone };
}

/** `less`: never high. `more`: not low, for its values say what its header does not. */
function sureness(
  by: Confidence,
  { doubtful, less, more }: { doubtful: boolean; less: boolean; more: boolean },
): Confidence {
  if (doubtful) return 'low';
  if (by === 'low') return more ? 'middle' : 'low';
  return less ? 'middle' : by;
}

/** Notes the form of dates and numbers in `meaning`; what can be read in two ways stays as it is written. */
function formOf(
  { values, header, unit: inHeader }: SeenColumn,
  meaning: CellReading,
  reasons: string[],
): { dated?: boolean; doubtful?: boolean; less?: boolean; forms?: string[]; decimalDoubt?: boolean } {
  const form = dateForm(values, say.saysDate(say.wordsOf(header)));
  if (form?.kind === 'iso') {
    reasons.push('Its values are dates.');
    return { dated: true };
  }
  if (form?.kind === 'form') {
    meaning.date = form.form;
    reasons.push(`Its values are dates of the form ${form.form}.`);
    return { dated: true, less: !form.certain };
  }
  if (form) {
    reasons.push(`Its dates may be ${form.forms.join(' or ')}: say which; until then they stay as they are written.`);
    return { doubtful: true, forms: form.forms };
  }
  const sign = decimalSign(values);
  if (sign === 'comma') {
    meaning.decimal = ',';
    reasons.push('Its numbers are written with a decimal comma.');
    return inHeader ? {} : { less: true };
  }
  if (sign !== 'either') return {};
  reasons.push(
    'The comma in its numbers may part thousands or decimals: say which; until then they stay as they are written.',
  );
  return { doubtful: true, decimalDoubt: true };
}

/** As many different values are compared with those that a checklist allows. */
const MOST_VALUES = 50;

interface ReadValues {
  /** Text of a cell → the word for it. */
  values: Record<string, string>;
  /** Some of these are words that are only near. */
  guessed: boolean;
  /** Texts for which the checklist has no word. */
  foreign: string[];
}

/** Texts that mean a word of the checklist: of the sex of animals, those that differ in their case alone, and those that are near one. */
function valuesOf(
  { values }: SeenColumn,
  name: string,
  field: KnownField | undefined,
  { meant }: Surroundings,
): ReadValues {
  const read: ReadValues = { values: {}, guessed: false, foreign: [] };
  const distinct = [...values.distinct];
  if (distinct.length > MOST_VALUES) return read;
  const allowed = field?.allowedValues ?? [];
  const bySex = /(?:^|\s)sex$/.test(name) ? say.SEX : {};
  const seen = new Set<string>();
  for (const text of distinct) {
    const key = text.toLowerCase();
    const same = allowed.find((word) => word.toLowerCase() === key);
    const sure = same ?? (Object.hasOwn(bySex, key) ? bySex[key] : undefined);
    const to = sure ?? (allowed.length > 0 ? meant(text, allowed) : undefined);
    if (to === undefined && allowed.length > 0) read.foreign.push(text);
    // Texts are compared without case, so one of them stands for all.
    if (to === undefined || to === text || seen.has(key)) continue;
    read.values[text] = to;
    read.guessed ||= sure === undefined;
    seen.add(key);
  }
  return read;
}

const SHOWN = 5;
const firstOf = (texts: readonly string[]): string =>
  texts.slice(0, SHOWN).join(', ') + (texts.length > SHOWN ? ' \u2026' : '');

const noWordFor = (texts: readonly string[], { checklist, allowedValues = [] }: KnownField): string =>
  `The checklist ${checklist} has no word for ${firstOf(texts.map((text) => text.slice(0, 40)))}; it has ${firstOf(allowedValues)}.`;
