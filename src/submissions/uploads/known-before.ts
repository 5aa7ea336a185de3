/**
 * What the account has had before and a new row is more often meant to be than to be beside: samples of its name, and, where rows have
 * keys, of a key that a program in between wrote otherwise. A hint, so for few rows.
 */
import { formatAccession } from '../../registry/accession.js';
import { rowIssue, rowWord, shorten } from '../../registry/row-issue.js';
import { placesOf } from '../../registry/row-places.js';
import { batchKey } from '../../registry/samples/batch-keys.js';
import { batchName, type LaidOutBatch, type RejectedRow } from '../../registry/samples/sample-batch.js';
import { likeTexts } from '../../tsv/like-texts.js';
import type { ProcessingStore } from '../processing/processing.js';
import { joinedWarnings } from '../reading/joined-warnings.js';
import { newRows, warnOfKnownNames } from '../reading/known-names.js';
import { warnOfChangedValues } from '../results/changed-values.js';
import type { Submission } from '../submission.js';

/** Rows of a batch whose keys are looked at: what writes one of them otherwise does so to most. */
const MOST_ROWS = 200;
/** Zeros that a spreadsheet has taken away, as far as they are looked for. */
const ZEROS = 6;

/** Without the index there is no hint, and it is not worth a failure. `first`: the batch begins the file. */
export async function warnOfKnown(
  { store, prefix }: { store: Pick<ProcessingStore, 'findNamed' | 'knownKeys' | 'readSamples'>; prefix: string },
  submission: Pick<Submission, 'account' | 'options' | 'lane'>,
  batch: LaidOutBatch,
  first: boolean,
): Promise<void> {
  const { account, lane } = submission;
  if (first) await warnOfChangedValues(store, submission, batch, prefix).catch(() => {});
  if (batch.keys && first) await warnOfLikeKeys(store, submission, batch, prefix).catch(() => {});
  if (!batch.keys && lane === 'small') await warnOfKnownNames(store, batch, { account, prefix }).catch(() => {});
}

async function warnOfLikeKeys(
  store: Pick<ProcessingStore, 'knownKeys'>,
  submission: Pick<Submission, 'account' | 'options'>,
  batch: LaidOutBatch,
  prefix: string,
): Promise<void> {
  const samplesOf = async (keys: string[]) => (await store.knownKeys(submission, [...new Set(keys)], [])).samples;
  const all = Array.from({ length: batch.count }, (_, row) => batchKey(batch, row));
  const rows = newRows(batch)
    .filter((row) => all[row] !== '')
    .slice(0, MOST_ROWS);
  const looked = rows.map((row) => ({ row, key: all[row] as string }));
  const known = await samplesOf(looked.map(({ key }) => key));
  const others = new Set(all);
  const ways = looked
    .filter(({ key }) => !known.has(key))
    .map(({ row, key }) => ({ row, key, ways: waysToWrite(key).filter(([way]) => !others.has(way)) }));
  if (ways.length === 0) return;
  const samples = await samplesOf(ways.flatMap(({ ways }) => ways.map(([way]) => way)));
  const warnings = ways.flatMap(({ row, key, ways }): RejectedRow[] => {
    const [like, how] = ways.find(([way]) => samples.has(way)) ?? [];
    return like === undefined
      ? []
      : [warning(batch, row, key, like, `${how}`, formatAccession(prefix, samples.get(like) as number))];
  });
  if (warnings.length > 0) batch.warnings = joinedWarnings([...(batch.warnings ?? []), ...warnings]);
}

/** A key as it may have been before a program in between, and what that changed. */
function waysToWrite(key: string): [way: string, how: string][] {
  const ways = likeTexts(key);
  if (/^\d+\.0+$/.test(key)) ways.push([key.replace(/\.0+$/, ''), 'the decimals behind a number']);
  if (/^\d+$/.test(key)) {
    ways.push([`${key}.0`, 'the decimals behind a number'], [key.replace(/^0+(?=\d)/, ''), 'zeros before a number']);
    for (let zeros = 1; zeros <= ZEROS; zeros++) ways.push(['0'.repeat(zeros) + key, 'zeros before a number']);
  }
  return ways.filter(([way]) => way !== key);
}

function warning(
  batch: LaidOutBatch,
  row: number,
  key: string,
  like: string,
  how: string,
  accession: string,
): RejectedRow {
  const line = batch.lines[row] as number;
  const places = placesOf(batch);
  const message = `No sample has the key "${shorten(key)}" in this key space; ${accession} has "${shorten(like)}", which differs in ${how} alone. If the ${rowWord(places.form)} means that one, write its key so: as it stands, it is a sample of its own.`;
  return {
    line,
    name: batchName(batch, row),
    issues: [rowIssue('key.like-another', { line, ...places.key }, { value: key, message })],
  };
}
