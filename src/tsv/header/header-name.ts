/** What one header says its column is. Compared without case, blanks and underscores; names in brackets are kept as written. */
import { fold, UNSEEN } from '../dialect.js';
import { withoutMark } from './column-notes.js';

export type ColumnKind =
  | { kind: 'name' | 'identifier' | 'release' | 'unit' | 'term-source' | 'term-accession' | 'empty' | 'error' }
  /** `unit`: of every cell of the column. */
  | { kind: 'characteristic'; name: string; unit?: string }
  | { kind: 'relationship'; type: string }
  | { kind: 'reference' }
  | { kind: 'record'; of: 'contact' | 'organization' | 'publications'; member: string }
  /** A term of the characteristic of that name wherever it stands; without one, a characteristic that is its own term. */
  | { kind: 'term-of'; name: string }
  /** The unit of the characteristic of that name. */
  | { kind: 'unit-of'; name: string }
  /** Term or unit of what stands in that column: a characteristic, or the unit of one. */
  | { kind: 'term-at' | 'unit-at'; column: number }
  /** Known, not stored, and the owner of the unit and term columns on its right. */
  | { kind: 'owner' }
  /** Known and not stored. */
  | { kind: 'ignored column' }
  /** A plain header that the dialect does not know. */
  | { kind: 'unknown' }
  /** A bracket that is missing, empty or never closed; `form` is what it should look like. */
  | { kind: 'broken'; form: string };

/** Headers of which a sheet has one column each at most. */
export const SINGLE = { name: 'Sample Name', identifier: 'Sample Identifier', release: 'Release Date' } as const;

export const isSingle = (kind: ColumnKind['kind']): kind is keyof typeof SINGLE => Object.hasOwn(SINGLE, kind);

const PLAIN: Record<string, ColumnKind> = {
  '': { kind: 'empty' },
  samplename: { kind: 'name' },
  sampleidentifier: { kind: 'identifier' },
  releasedate: { kind: 'release' },
  unit: { kind: 'unit' },
  termsourceref: { kind: 'term-source' },
  termaccessionnumber: { kind: 'term-accession' },
  termsourceid: { kind: 'term-accession' },
  sourcename: { kind: 'ignored column' },
  performer: { kind: 'ignored column' },
  date: { kind: 'ignored column' },
  protocolref: { kind: 'owner' },
  errorline: { kind: 'error' },
  errorcolumn: { kind: 'error' },
  errorcode: { kind: 'error' },
  errorvalue: { kind: 'error' },
  errormessage: { kind: 'error' },
  errorsuggestion: { kind: 'error' },
};

const HIDDEN = new RegExp(`[${UNSEEN}]+`, 'gu');

/**
 * What a plain header calls its characteristic: every blank that it has, a line break in its spreadsheet cell too, is the one that
 * the space bar gives, and what nobody sees is left out, unless there is nothing else.
 */
export const plainName = (header: string): string =>
  header.replace(HIDDEN, '').trim() === '' ? header.trim() : seen(header);

const seen = (header: string): string =>
  header
    .replace(HIDDEN, '')
    .replace(/[^\S\r\n]/g, ' ')
    .split(/[\r\n]+/)
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join(' ');

/** As GEO writes it. */
const BEHIND_COLON = /^characteristics?\s*:(.*)$/is;
const BRACKETED = /^([^[\]]*)\[(.*)\]$/s;

/** As pandas and R write a header that they have read before: `Unit.1`, `Characteristics[age].2`. */
const REPEATED = /^(.*)\.\d{1,5}$/s;
const REPEATABLE: ColumnKind['kind'][] = ['unit', 'term-source', 'term-accession'];

/** The header without the number that tells it from those before it; undefined for one whose number may be its own. */
function repeated(text: string): ColumnKind | undefined {
  const header = REPEATED.exec(text)?.[1];
  if (header === undefined) return undefined;
  const kind = kindOf(header);
  return header.endsWith(']') || REPEATABLE.includes(kind.kind) ? kind : undefined;
}

export function columnKind(header: string): ColumnKind {
  const text = header.trim();
  return repeated(text) ?? kindOf(text);
}

/** Whether a column of that header names the samples, by itself or as a form marks it: `Sample Name*`. */
export const namesSamples = (header: string): boolean => columnKind(withoutMark(header)).kind === 'name';

const NOT_OF_FORMS: ColumnKind['kind'][] = ['ignored column', 'owner', 'error', 'empty', 'broken'];

/**
 * The headers of a row as they are read: where one that means something to us carries a mark of forms, those of all are taken off, but
 * not one that tells its column from another, nor one whose column would not be stored any more (docs/decisions/0184).
 * @param isNames whether the column of that number was said to name the samples
 */
export function unmarkedHeaders(header: readonly string[], isNames: (column: number) => boolean): readonly string[] {
  const written = new Set(header.map(fold));
  let ofForm = false;
  const unmarked = header.map((text, column) => {
    const left = withoutMark(text);
    if (left === text.trim() || written.has(fold(left))) return text;
    const { kind } = columnKind(left);
    if (NOT_OF_FORMS.includes(kind)) return text;
    ofForm ||= kind !== 'unknown' || isNames(column);
    return left;
  });
  return ofForm ? unmarked : header;
}

function kindOf(text: string): ColumnKind {
  const folded = fold(text);
  const plain = Object.hasOwn(PLAIN, folded) ? PLAIN[folded] : undefined;
  if (plain) return plain;
  const behind = text.includes(':') ? BEHIND_COLON.exec(text)?.[1] : undefined;
  if (behind !== undefined) return characteristic(plainName(behind));
  // A row of a table may have thousands of cells that are none of ours.
  if (!text.includes('[')) return isCharacteristic(folded) ? UNNAMED : { kind: 'unknown' };
  const bracketed = BRACKETED.exec(text);
  if (!bracketed) return unclosed(text);
  const word = fold(bracketed[1] as string);
  const inside = (bracketed[2] as string).trim();
  if (isCharacteristic(word)) return characteristic(inside);
  if (word === 'comment') return comment(inside);
  if (word === 'unit') return { kind: 'unit' };
  if (word === 'factorvalue' || word === 'parametervalue') return { kind: 'owner' };
  return { kind: 'unknown' };
}

const UNNAMED: ColumnKind = { kind: 'broken', form: 'Characteristics[name]' };
const isCharacteristic = (word: string): boolean => word === 'characteristics' || word === 'characteristic';
const characteristic = (name: string): ColumnKind => (name === '' ? UNNAMED : { kind: 'characteristic', name });

/** A bracket that was forgotten would leave a column unstored without a word. */
function unclosed(text: string): ColumnKind {
  const word = fold(text.split('[', 1)[0] as string);
  if (isCharacteristic(word)) return UNNAMED;
  return word === 'comment' ? { kind: 'broken', form: 'Comment[name]' } : { kind: 'unknown' };
}

/** Where a sample has its records, and what the headers of each say before the colon: `Comment[submission_contact:E-mail]`. */
export const RECORDS = [
  ['contact', 'submission_contact'],
  ['organization', 'submission_organization'],
  ['publications', 'publication'],
] as const;

function comment(inside: string): ColumnKind {
  if (fold(inside) === 'externaldbref') return { kind: 'reference' };
  const colon = inside.indexOf(':');
  if (colon < 0) return { kind: 'ignored column' };
  const word = fold(inside.slice(0, colon));
  const rest = inside.slice(colon + 1).trim();
  if (word === 'bsdrelationship') {
    return rest === ''
      ? { kind: 'broken', form: 'Comment[bsd_relationship:type]' }
      : { kind: 'relationship', type: rest };
  }
  const of = RECORDS.find(([, record]) => fold(record) === word)?.[0];
  if (of === undefined) return { kind: 'ignored column' };
  if (rest === '') return { kind: 'broken', form: `Comment[${inside.slice(0, colon)}:member]` };
  return { kind: 'record', of, member: rest };
}
