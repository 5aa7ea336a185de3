/**
 * What a sheet does to samples that it updates and may not mean: values that a program in between wrote otherwise, such as are
 * gone since the sheet has no column for them, characteristics that it calls otherwise, and samples that nobody sees. A hint, so for few rows.
 */

import { formatAccession } from '../../registry/accession.js';
import { rowIssue, shorten } from '../../registry/row-issue.js';
import { placesOf } from '../../registry/row-places.js';
import { batchKey } from '../../registry/samples/batch-keys.js';
import { decodeContent } from '../../registry/samples/content-json.js';
import { type SampleLayout, unpackSample } from '../../registry/samples/packed-sample.js';
import { ERASED, type SampleContent, type StoredSample } from '../../registry/samples/sample.js';
import {
  batchCells,
  batchName,
  type Issue,
  type LaidOutBatch,
  type RejectedRow,
} from '../../registry/samples/sample-batch.js';
import { isAdministrative, statusOf } from '../../registry/samples/status.js';
import { fold } from '../../tsv/dialect.js';
import { isRespelled } from '../../tsv/quality/respelled.js';
import type { ProcessingStore } from '../processing/processing.js';
import { joinedWarnings } from '../reading/joined-warnings.js';
import type { Submission } from '../submission.js';
import { howToKeep, lostValues } from './lost-values.js';

/** Rows that are looked at: what writes one of them otherwise does so to most. */
const MOST_ROWS = 200;
/** Values that a message names. */
const SHOWN = 3;

/** Adds a warning to each of the first rows that does so to its sample. */
export async function warnOfChangedValues(
  store: Pick<ProcessingStore, 'knownKeys' | 'readSamples'>,
  submission: Pick<Submission, 'account' | 'options'>,
  batch: LaidOutBatch,
  prefix: string,
): Promise<void> {
  const { account, options } = submission;
  if (placesOf(batch).form !== 'sheet' || options.undoOf !== undefined || options.rereadOf !== undefined) return;
  const rows = (await updatingRows(store, submission, batch)).slice(0, MOST_ROWS);
  if (rows.length === 0) return;
  const records = await store.readSamples(rows.map(({ id }) => id));
  const own = records.filter(({ sample }) => sample.account === account);
  const stored = new Map(own.map(({ sample }) => [sample.id, sample]));
  const warnings = rows.flatMap(({ row, id }): RejectedRow[] => {
    const sample = stored.get(id);
    // The row of an erased one is refused.
    if (sample === undefined || sample.adminStatus === ERASED) return [];
    const before = sample.content;
    const said = { line: batch.lines[row] as number, accession: formatAccession(prefix, id) };
    const after = contentOf(batch, row);
    const issues = [
      respelled(said, before, after),
      calledOtherwise(said, before, after, batch.layout, options.update === 'merge'),
      options.update === 'merge' ? undefined : gone(said, before, after, batch.layout),
      withdrawn(said, sample, options.standing !== undefined),
    ].filter((issue) => issue !== undefined);
    return issues.length === 0 ? [] : [{ line: said.line, name: batchName(batch, row), issues }];
  });
  if (warnings.length > 0) batch.warnings = joinedWarnings([...(batch.warnings ?? []), ...warnings]);
}

/** Rows that say which sample they update, and those whose keys say so. */
async function updatingRows(
  store: Pick<ProcessingStore, 'knownKeys'>,
  submission: Pick<Submission, 'account' | 'options'>,
  batch: LaidOutBatch,
): Promise<{ row: number; id: number }[]> {
  const keys = batch.keys === undefined ? [] : Array.from({ length: batch.count }, (_, row) => batchKey(batch, row));
  const known = keys.length === 0 ? undefined : (await store.knownKeys(submission, keys, [])).samples;
  return Array.from(batch.ids, (id, row) => ({ row, id: id || (known?.get(keys[row] as string) ?? 0) })).filter(
    ({ id }) => id > 0,
  );
}

function contentOf(batch: LaidOutBatch, row: number): SampleContent {
  const document = batch.documents.get(row);
  return document === undefined ? unpackSample(batch.layout, batchCells(batch, row)) : decodeContent(document);
}

interface Said {
  line: number;
  accession: string;
}

function respelled({ line, accession }: Said, before: SampleContent, after: SampleContent): Issue | undefined {
  const found = Object.entries(after.characteristics).flatMap(([name, entries]) =>
    entries.flatMap(({ text }, at) => {
      const was = before.characteristics[name]?.[at]?.text;
      const same = was === undefined || text === undefined || before.characteristics[name]?.length !== entries.length;
      return same || !isRespelled(was, text) ? [] : [{ name, was, text }];
    }),
  );
  const [first] = found;
  if (first === undefined) return undefined;
  const texts = found.map(({ name, was, text }) => `${shorten(name)} "${shorten(was)}" as "${shorten(text)}"`);
  const message = `The row writes values of ${accession} otherwise, as a spreadsheet may have made them: ${listed(texts)}. If that is not meant, write them as they were, in columns formatted as text.`;
  return rowIssue('value.respelled', { line }, { value: first.text, message });
}

/** What the sheet calls characteristics, those of empty cells too. */
const namesOf = (after: SampleContent, layout: SampleLayout): string[] => [
  ...layout.characteristics.map(({ name }) => name),
  ...Object.keys(after.characteristics),
];

/** A header whose case, blanks or underscores changed in the program that writes the sheet names another characteristic. */
function calledOtherwise(
  { line, accession }: Said,
  before: SampleContent,
  after: SampleContent,
  layout: SampleLayout,
  merges: boolean,
): Issue | undefined {
  const names = new Set(namesOf(after, layout));
  const byFold = new Map([...names].map((name) => [fold(name), name]));
  const found = Object.keys(before.characteristics).flatMap((was) => {
    const name = names.has(was) ? undefined : byFold.get(fold(was));
    return name === undefined || Object.hasOwn(before.characteristics, name) ? [] : [{ was, name }];
  });
  const [first] = found;
  if (first === undefined) return undefined;
  const texts = found.map(({ was, name }) => `"${shorten(was)}" as "${shorten(name)}"`);
  const effect = merges
    ? 'With update=merge each stays as it is, and the value of the row stands beside it under the other name'
    : 'The row renames them';
  const message = `The sheet has characteristics of ${accession} under names that differ in capitals, blanks or underscores: ${listed(texts)}. ${effect}. If that is not meant, write the headers as they were.`;
  return rowIssue('value.other-name', { line, column: first.name }, { value: first.name, message });
}

/** An update leaves a withdrawal as it is. A standing sheet takes back what it has withdrawn itself. */
function withdrawn({ line, accession }: Said, sample: StoredSample, isStanding: boolean): Issue | undefined {
  const { adminStatus: status } = sample;
  if (status === undefined || (status === 'MISSING' && isStanding)) return undefined;
  const back = isAdministrative(status)
    ? `An administrator has set its status to ${status}, and only administrators change that`
    : `To take the withdrawal back, send DELETE /samples/${accession}/withdrawal, or choose Take the withdrawal back on its page`;
  const message = `${accession} is ${statusOf(sample, 0)} and stays so: what the row says is stored, and nobody but you sees it. ${back}.`;
  return rowIssue('sample.not-shown', { line }, { value: accession, message });
}

function gone(
  { line, accession }: Said,
  before: SampleContent,
  after: SampleContent,
  layout: SampleLayout,
): Issue | undefined {
  const lost = lostValues(before, after, layout);
  if (lost.length === 0) return undefined;
  const message = `The sheet has no column for what ${accession} has, and the row takes it away: ${listed(lost.map(({ text }) => text))}. To keep it, ${howToKeep(lost)}; an upload that was carried out can be undone.`;
  return rowIssue('value.no-column', { line }, { message });
}

const listed = (texts: readonly string[]): string =>
  texts.slice(0, SHOWN).join(', ') + (texts.length > SHOWN ? ` and ${texts.length - SHOWN} more` : '');
