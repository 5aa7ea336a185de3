/** What an erased sample leaves in a store, the same in both (docs/decisions/0198). */
import { encodeContent } from '../registry/samples/content-json.js';
import { ERASED, emptyContent } from '../registry/samples/sample.js';
import type { SampleUpdate } from '../registry/samples/sample-store.js';
import type { SaidOfRows } from '../upkeep/erasing-store.js';
import type { SampleRow } from './rows/sample-row.js';
import { jsonOrNull, type SubmissionRow } from './rows/submission-row.js';
import { checksumOf } from './sample-checksum.js';

/** The last version of an erased sample. */
export const erasure = (author: string, release: number): SampleUpdate => ({
  draft: { name: '', release, content: emptyContent() },
  provenance: { author, via: 'JSON_API' },
  adminStatus: ERASED,
});

const NOTHING = encodeContent(emptyContent());

/** A version without what it said. The layout of a block is that of its other samples too: cells that are not there are empty. */
export function blanked(row: SampleRow): SampleRow {
  const blank = { ...row, name: '', doc: row.layout === null ? NOTHING : '' };
  return { ...blank, crc: checksumOf(blank) };
}

/** SQL, `id` being the number: what stands beside the versions of a sample, and says something of it. Keys stay, by which an export goes on to mean it. */
export const BESIDE = (id: string): string[] => [
  `delete from structured_data where sample = ${id}`,
  `delete from open_relationship where sample = ${id} or target = ${id}`,
];

type SaidColumns = Pick<SubmissionRow, 'issues' | 'problem' | 'options'>;

/** SQL: what a submission says of its rows; of one that has ended. */
export const SAID = (uuid: string): string =>
  `select id, issues, problem, options from submission where uuid = ${uuid} and state <> 'ACTIVE'`;

export const saidOf = ({ issues, problem, options }: SaidColumns): SaidOfRows => ({
  issues: JSON.parse(issues) as SaidOfRows['issues'],
  options: JSON.parse(options) as SaidOfRows['options'],
  ...(problem === null ? {} : { problem: JSON.parse(problem) as SaidOfRows['problem'] & object }),
});

/** In the order of SAY. */
export const saidValues = ({ issues, problem, options }: SaidOfRows): (string | null)[] => [
  JSON.stringify(issues),
  jsonOrNull(problem),
  JSON.stringify(options),
];
export const SAY = (places: readonly [string, string, string, string]): string =>
  `update submission set issues = ${places[0]}, problem = ${places[1]}, options = ${places[2]} where id = ${places[3]}`;

/** Chunks that are rewritten in one transaction. */
export const REWRITTEN_AT_ONCE = 16;
