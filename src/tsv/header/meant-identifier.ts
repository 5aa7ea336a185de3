/** A column of this registry's accessions under another header than Sample Identifier: its rows would be registered once more. */
import { nearAccession, parseAccession } from '../../registry/accession.js';
import type { Head } from '../bytes/head-rows.js';
import { wordsOf } from '../propose/header-words.js';
import type { SheetPlan } from './columns.js';
import { firstRows } from './first-rows.js';
import { columnKind, SINGLE } from './header-name.js';
import { meantHeader } from './meant-header.js';

const LONGEST = 200;

const SAMPLE = '(?:bio ?)?samples?|registry|registered|record|specimen';
const ACCESSION = 'accessions?(?: (?:id|no|nr|number|code))?|identifiers?|ids?';
/** It says that the accession is of the row itself: not `parent accession`, and no one word of a relationship. */
const OF_THE_ROW = new RegExp(`^(?:(?:${SAMPLE}) )*(?:${ACCESSION})$|^(?:bio ?samples?|registry)$`);

type Place = Pick<
  SheetPlan,
  'header' | 'delimiter' | 'headerEnd' | 'nameColumn' | 'identifierColumn' | 'keyColumn' | 'profile'
>;

/**
 * Its position; undefined where there is none. A name is one where all names are accessions. A kept profile has said what its
 * columns are, and so has whoever writes brackets.
 */
export function meantIdentifier(plan: Place, head: Head, prefix: string): number | undefined {
  const { header, nameColumn, identifierColumn, keyColumn, profile } = plan;
  if (identifierColumn !== undefined || prefix === '' || (profile && profile.rank !== 'shipped')) return undefined;
  const named = header.flatMap((text, at) => (at !== keyColumn && saysIdentifier(text) ? [at] : []));
  const columns = nameColumn < header.length ? [...named, nameColumn] : named;
  if (columns.length === 0) return undefined;
  const isOurs = (text: string): boolean => (parseAccession(prefix, text) ?? nearAccession(prefix, text)) !== undefined;
  const seen = new Map(columns.map((at) => [at, new Set<string>()]));
  for (const cells of firstRows(head, plan)) {
    for (const [at, texts] of seen) {
      const text = (cells[at] ?? '').slice(0, LONGEST).trim();
      if (text === '' || text.startsWith('#')) continue;
      // Of a sample that several rows speak of, it says something else.
      if (!isOurs(text) || texts.has(text)) seen.delete(at);
      else texts.add(text);
    }
  }
  return [...seen].find(([, texts]) => texts.size > 0)?.[0];
}

function saysIdentifier(header: string): boolean {
  if (header.length > LONGEST || columnKind(header).kind !== 'unknown') return false;
  return OF_THE_ROW.test(wordsOf(header)) || meantHeader(header) === SINGLE.identifier;
}
