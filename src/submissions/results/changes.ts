/** What a dry run would change, or an upload has changed: of every row that updates a sample, the cells that differ, before and after. Read anew when asked for. */
import { formatAccession, parseAccession } from '../../registry/accession.js';
import { contentOf, releaseAfter } from '../../registry/samples/decide.js';
import { mergeContent } from '../../registry/samples/merge.js';
import type { Characteristic, SampleContent, StoredSample } from '../../registry/samples/sample.js';
import { batchCells, batchName, type LaidOutBatch } from '../../registry/samples/sample-batch.js';
import { inLots, type LotStore, type VersionStore } from '../../registry/samples/sample-lots.js';
import type { VersionOf } from '../../registry/samples/sample-store.js';
import { RECORDS } from '../../tsv/header/header-name.js';
import { forEdit } from '../batch-edit/stored.js';
import type { Blobs } from '../blobs.js';
import { fillKnownTargets, type NamingStore } from '../processing/open-targets.js';
import { isOfChecklist } from '../processing/problems.js';
import { indexEarlier } from '../reading/line-index.js';
import { readSubmission } from '../reading/read-submission.js';
import { NEVER_GIVEN, type StoredForEdit } from '../reading/read-task.js';
import type { RowChecks } from '../reading/row-checks.js';
import { openSource, sourceOf } from '../reading/stored-source.js';
import type { Submission } from '../submission.js';
import type { LedgerChunk, SubmissionStore } from '../submission-store.js';
import { ensureTable, type Workbooks } from '../uploads/workbook-table.js';

export interface CellChange {
  line: number;
  accession: string;
  /** The column's header as a sheet would call it. */
  column: string;
  /** Absent: there was none, or there is none any more. */
  before?: string;
  after?: string;
}

export interface ChangesDependencies {
  store: Pick<SubmissionStore, 'earlierUploads' | 'ledger' | 'knownKeys'> &
    NamingStore &
    LotStore &
    VersionStore & {
      findOwners(ids: readonly number[]): Promise<Map<number, string>>;
    };
  blobs: Blobs;
  workbooks?: Workbooks | undefined;
  rowChecks?: RowChecks | undefined;
  prefix: string;
}

const BATCH_ROWS = 500;

/** Whether cells of this version may be shown: an administrator's upload changes samples that its account may not read. */
export type Shown = (former: Pick<StoredSample, 'account'>) => boolean;

/** In order of lines. `mostRows`: that would update a sample, shown or not. */
export async function* dryRunChanges(
  deps: ChangesDependencies,
  dryRun: Submission,
  shown: Shown,
  mostRows = Number.POSITIVE_INFINITY,
): AsyncGenerator<CellChange> {
  await ensureTable(deps, dryRun);
  const seen = await updatedVersions(deps.store.ledger(dryRun.id));
  if (seen.size === 0) return;
  let left = mostRows;
  const { options, account, admin } = dryRun;
  const earlier = await indexEarlier(deps.store, dryRun);
  const source = sourceOf(dryRun);
  const task = {
    fileSize: source.size,
    options,
    account,
    admin,
    prefix: deps.prefix,
    batchRows: BATCH_ROWS,
    accepted: dryRun.created,
    registers: false,
    cursor: 0,
    ...(earlier === undefined ? {} : { earlier }),
  };
  let ofSample: Map<number, number> | undefined;
  const versions = (): Map<number, number> => {
    ofSample ??= versionsOf(seen);
    return ofSample;
  };
  const ask = {
    ownersOf: (ids: number[]) => deps.store.findOwners(ids),
    knownKeys: (keys: string[], samples: number[]) => deps.store.knownKeys(dryRun, keys, samples),
    reserve: async () => NEVER_GIVEN,
    // What was open then was counted then.
    openRelationships: async () => 0,
    storedForEdit: (ids: number[]) => asSeen(deps.store, ids, versions()),
  };
  const read = (checks?: RowChecks) =>
    readSubmission((range) => openSource(deps.blobs, source, range), task, ask, checks);
  for await (const batch of readAgain(read, deps.rowChecks)) {
    await fillKnownTargets(deps.store, batch, { account, prefix: deps.prefix });
    const rows = Array.from({ length: batch.count }, (_, row) => row).filter((row) =>
      seen.has(batch.lines[row] as number),
    );
    for (const lot of inLots(rows)) {
      const versions = lot.map((row) => seen.get(batch.lines[row] as number) as VersionOf);
      for (const [nth, stored] of (await deps.store.readVersions(versions)).entries()) {
        if (left-- <= 0) return;
        if (stored && shown(stored))
          yield* rowChanges(deps.prefix, options.update === 'merge', batch, lot[nth] as number, stored);
      }
    }
  }
}

/**
 * Rows are checked as the dry run checked them: one that was refused may have the name of one that was not. Where a checklist was taken away
 * or broken since, they are read without: which rows would update a sample, the ledger says.
 */
async function* readAgain(
  read: (checks?: RowChecks) => AsyncIterable<LaidOutBatch>,
  checks: RowChecks | undefined,
): AsyncGenerator<LaidOutBatch> {
  try {
    yield* read(checks);
  } catch (error) {
    // Checklists are read before the first row.
    if (!isOfChecklist(error)) throw error;
    yield* read();
  }
}

/** By line; the sample is the ledger's, because a row may name it by its key alone. */
type SeenVersions = Map<number, VersionOf>;

/** By accession number: made where an edit or a relationship asks for it. */
const versionsOf = (seen: SeenVersions): Map<number, number> =>
  new Map([...seen.values()].map(({ id, version }) => [id, version]));

/** The versions of the samples that rows would update. */
async function updatedVersions(ledger: AsyncIterable<LedgerChunk>): Promise<SeenVersions> {
  const versions: SeenVersions = new Map();
  for await (const { updated, seen = [] } of ledger) {
    const ids = new Map(
      updated.flatMap(([line, id, count]) =>
        Array.from({ length: count }, (_, i): [number, number] => [line + i, id + i]),
      ),
    );
    for (const [first, version, count] of seen) {
      for (let line = first; line < first + count; line++) {
        const id = ids.get(line);
        if (id === undefined) continue;
        versions.set(line, { id, version });
      }
    }
  }
  return versions;
}

/** The samples as their dry run saw them, whatever became of them since. */
async function asSeen(
  store: ChangesDependencies['store'],
  ids: readonly number[],
  versions: ReadonlyMap<number, number>,
): Promise<StoredForEdit[]> {
  const samples: StoredForEdit[] = [];
  const wanted = ids.flatMap((id) => {
    const version = versions.get(id);
    return version === undefined ? [] : [{ id, version }];
  });
  for (const lot of inLots(wanted)) {
    for (const stored of await store.readVersions(lot)) if (stored) samples.push(forEdit(stored));
  }
  return samples;
}

function rowChanges(
  prefix: string,
  merge: boolean,
  batch: LaidOutBatch,
  row: number,
  stored: StoredSample,
): Generator<CellChange> {
  const document = batch.documents.get(row);
  const given = contentOf({
    layout: document === undefined ? batch.layout : undefined,
    doc: document ?? batchCells(batch, row),
  });
  const next = merge ? mergeContent(stored.content, given, batch.cleared?.get(row)) : given;
  const line = batch.lines[row] as number;
  const accession = formatAccession(prefix, stored.id);
  const kept = { release: stored.release, placeholder: stored.submitted === undefined };
  const release = releaseAfter(batch.releases[row] as number, kept, batch.releaseDate);
  const after = { name: batchName(batch, row), release, content: next };
  return differences(line, accession, stored, after, prefix);
}

type Compared = Pick<StoredSample, 'name' | 'release' | 'content'>;

export function* differences(
  line: number,
  accession: string,
  before: Compared,
  after: Compared,
  prefix: string,
): Generator<CellChange> {
  const change = (column: string, old?: string, now?: string): CellChange => ({
    line,
    accession,
    column,
    ...(old === undefined ? {} : { before: old }),
    ...(now === undefined ? {} : { after: now }),
  });
  if (after.name !== before.name) yield change('Sample Name', before.name, after.name);
  if (after.release !== before.release) yield change('Release Date', iso(before.release), iso(after.release));
  const old = cellsOf(before.content, prefix);
  const now = cellsOf(after.content, prefix);
  for (const column of new Set([...old.keys(), ...now.keys()])) {
    if (old.get(column) !== now.get(column)) yield change(column, old.get(column), now.get(column));
  }
}

const iso = (ms: number): string => new Date(ms).toISOString();

/** The content by column, several values of one column joined by a vertical bar. */
function cellsOf(content: SampleContent, prefix: string): Map<string, string> {
  const cells = new Map<string, string>();
  const add = (column: string, text: string | undefined): void => {
    if (text) cells.set(column, cells.has(column) ? `${cells.get(column)} | ${text}` : text);
  };
  for (const [name, entries] of Object.entries(content.characteristics)) {
    for (const entry of entries) add(`Characteristics[${name}]`, entryText(entry));
  }
  for (const { type, target } of content.relationships) {
    const fresh = (parseAccession(prefix, target) ?? 0) >= NEVER_GIVEN;
    add(`Comment[bsd_relationship:${type}]`, fresh ? '(a new sample of this file)' : target);
  }
  for (const { url } of content.externalReferences) add('Comment[external DB REF]', url);
  for (const [list, header] of RECORDS) {
    for (const record of content[list])
      for (const [member, text] of Object.entries(record)) add(`Comment[${header}:${member}]`, text);
  }
  if (content.taxId !== undefined) add('taxId', String(content.taxId));
  add('domain', content.domain);
  return cells;
}

/** `37 years [UO:0000036]` */
function entryText({ text = '', unit, ontologyTerms = [], unitOntologyTerms = [] }: Characteristic): string {
  const terms = (list: readonly string[]): string => (list.length > 0 ? ` [${list.join(', ')}]` : '');
  return `${text}${terms(ontologyTerms)}${unit ? ` ${unit}` : ''}${terms(unitOntologyTerms)}`;
}
