/**
 * What a mirror writes, once for both stores: a walk that asks for statements (`?` for a value) and is given their rows.
 * What differs between the stores are the steps `read` and `note`.
 */

import type { MirroredSample, MirrorState, MirrorStep } from '../registry/changes/mirror-store.js';
import { type Change, type ChangeType, changeBetween, creation } from '../registry/changes/sample-change.js';
import { RegistryError } from '../registry/errors.js';
import { ERASED, type StoredSample } from '../registry/samples/sample.js';
import type { SampleRecord } from '../registry/samples/sample-store.js';
import { erasure } from './erased-rows.js';
import { NEW_TABLE, newCuration } from './rows/annotation-row.js';
import { assignChanged, changedRow, changedValues, SAMPLE_COLUMNS, valuesOfRow } from './rows/sample-row.js';
import { cellOf } from './sample-blocks.js';

export type Ask =
  | { rows: string; values: unknown[] }
  | { read: number }
  /** What the sample was before its last version, and what stands beside it. */
  | { erase: number }
  /** For the search index, and for the log: an absent change is one of what is attached. */
  | { note: number; change: Change | { type: ChangeType } };

type Walk<T = void> = Generator<Ask, T, never>;

const PLACES = SAMPLE_COLUMNS.split(',').map(() => '?');
const INSERT = (table: string): string =>
  `insert into ${table} (${SAMPLE_COLUMNS}) values (${PLACES.join(', ')}) on conflict do nothing`;
const OVERWRITE = `update sample set ${assignChanged(() => '?')} where id = ? returning id`;
/** A version that stands in a block, from before the store became a mirror. */
const IN_BLOCK = 'select 1 from sample_block where cell = ? and first <= ? and first + count > ? and version = ?';
const ARCHIVE = `insert into sample_version (${SAMPLE_COLUMNS}) select ${SAMPLE_COLUMNS} from sample where id = ?
  on conflict do nothing`;

function* rows<Row>(text: string, ...values: unknown[]): Walk<Row[]> {
  return (yield { rows: text, values }) as Row[];
}

const run = function* (text: string, ...values: unknown[]): Walk {
  yield { rows: text, values };
};

export interface MirrorRow {
  source: string;
  cursor: string | null;
}
export const STATE = 'select source, cursor from mirror';
export const stateOf = (row: MirrorRow | undefined): MirrorState | undefined =>
  row && { source: row.source, ...(row.cursor === null ? {} : { cursor: row.cursor }) };

function* state(): Walk<MirrorState | undefined> {
  const [row] = yield* rows<MirrorRow>(STATE);
  return stateOf(row);
}

export function* begin(source: string): Walk {
  const known = yield* state();
  // The cursor says whether it is the same log at another address.
  if (known !== undefined) return yield* run('update mirror set source = ?', source);
  const own =
    "select 1 from sample union all select 1 from sample_block union all select 1 from submission where state = 'ACTIVE' limit 1";
  if ((yield* rows(own)).length > 0) {
    throw new RegistryError(
      'conflict',
      'This store has samples or uploads of its own, whose accessions would be those of others; a mirror needs an empty one.',
    );
  }
  yield* run('insert into mirror (id, source) values (1, ?)', source);
}

export function* end(): Walk<boolean> {
  const was = (yield* state()) !== undefined;
  yield* run('delete from mirror');
  return was;
}

/** Numbers of samples of which a step leaves nothing. */
export const erasedBy = ({ samples, erased }: MirrorStep): number[] => [
  ...samples.flatMap(({ record: { sample } }) => (sample.adminStatus === ERASED ? [sample.id] : [])),
  ...erased,
];

export function* apply(step: MirrorStep, now: number): Walk {
  const known = yield* state();
  if (known?.cursor === step.cursor) return;
  if (known === undefined || known.cursor !== step.after) {
    throw new RegistryError('conflict', 'Another process keeps this mirror, or it was ended.');
  }
  yield* run('update mirror set cursor = ?', step.cursor);
  for (const mirrored of step.samples) yield* take(mirrored, now);
  for (const id of step.withdrawn) yield* withdraw(id, now);
  for (const id of step.erased) yield* erase(id, now);
}

function* take({ record, former }: MirroredSample, now: number): Walk {
  const { sample } = record;
  const before = (yield { read: sample.id }) as SampleRecord | undefined;
  for (const version of former) {
    const { id } = version;
    if ((yield* rows(IN_BLOCK, cellOf(id), id, id, version.version)).length > 0) continue;
    yield* run(INSERT('sample_version'), ...valuesOfRow(yield* rowOf(version)));
  }
  if (before === undefined) yield* add(sample, now);
  else yield* overwrite(before.sample, sample, now);
  // What it was is gone at the source, and so is what was attached to it.
  if (sample.adminStatus === ERASED) {
    yield { erase: sample.id };
    return;
  }
  if (!same(before?.curationLinks ?? [], record.curationLinks)) yield* replaceLinks(record);
  if (!same(before?.structuredData ?? [], record.structuredData)) yield* replaceTables(record);
}

const same = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

function* add(sample: StoredSample, now: number): Walk {
  yield* run(INSERT('sample'), ...valuesOfRow(yield* rowOf(sample)));
  yield* run("update counter set next = ? where name = 'accession' and next <= ?", sample.id + 1, sample.id);
  yield { note: sample.id, change: creation(sample, now) };
}

function* overwrite(before: StoredSample, sample: StoredSample, now: number): Walk {
  const next = yield* rowOf(sample);
  if (next.crc === (yield* rowOf(before)).crc) return;
  if (before.version < sample.version) yield* run(ARCHIVE, sample.id);
  const written = yield* rows(OVERWRITE, ...changedValues(next), sample.id);
  // It stands in a block, which keeps what it was.
  if (written.length === 0) yield* run(INSERT('sample'), ...valuesOfRow(next));
  yield { note: sample.id, change: changeBetween(before, sample, now) };
}

/** Its content stays, for owners and administrators of this registry; whether it is right is not known any more. */
function* withdraw(id: number, now: number): Walk {
  const before = (yield { read: id }) as SampleRecord | undefined;
  if (before) yield* overwrite(before.sample, { ...before.sample, adminStatus: 'SUPPRESSED' }, now);
}

/** Where the source says no more of it than that: its last version here is one more than was known. */
function* erase(id: number, now: number): Walk {
  const before = (yield { read: id }) as SampleRecord | undefined;
  if (before === undefined) return;
  const { author, release, adminStatus } = before.sample;
  if (adminStatus !== ERASED) {
    const { draft } = erasure(author, release);
    const version = before.sample.version + 1;
    yield* overwrite(before.sample, { ...before.sample, ...draft, adminStatus: ERASED, version, updated: now }, now);
  }
  yield { erase: id };
}

function* replaceLinks({ sample: { id }, curationLinks }: SampleRecord): Walk {
  yield* run('delete from curation_link where sample = ?', id);
  for (const link of curationLinks) {
    const { hash, lists } = newCuration(link);
    yield* run('insert into curation (hash, lists) values (?, ?) on conflict (hash) do nothing', hash, lists);
    yield* run(
      'insert into curation_link (sample, hash, curation, account, domain, created, declined) values (?, ?, ?, ?, ?, ?, ?)',
      id,
      link.hash,
      hash,
      yield* numberOf(link.account, link.created),
      link.domain,
      link.created,
      link.declined ?? null,
    );
  }
  yield { note: id, change: { type: 'curated' } };
}

function* replaceTables({ sample: { id }, structuredData }: SampleRecord): Walk {
  yield* run('delete from structured_data where sample = ?', id);
  for (const { account, domain, type, schema, content, created, updated } of structuredData) {
    const number = yield* numberOf(account, created);
    const values = [id, number, domain, type, schema, JSON.stringify(content), created, updated];
    yield* run(`insert into structured_data (${NEW_TABLE}) values (?, ?, ?, ?, ?, ?, ?, ?)`, ...values);
  }
  yield { note: id, change: { type: 'updated' } };
}

/** The submission is the source's: its number here would be another one's. */
function* rowOf(sample: StoredSample): Walk<ReturnType<typeof changedRow>> {
  const { id, version, created, updated, submitted, adminStatus } = sample;
  const change = { draft: sample, provenance: sample, version, updated };
  return changedRow(
    { ...change, submitted: submitted ?? null, adminStatus: adminStatus ?? null },
    {
      id,
      created,
      account: yield* numberOf(sample.account, created),
      author: yield* numberOf(sample.author, updated),
      submission: null,
    },
  );
}

function* numberOf(account: string, now: number): Walk<number> {
  const find = () => rows<{ id: number }>('select id from account where name = ?', account);
  let [row] = yield* find();
  if (row === undefined) {
    yield* run('insert into account (name, created) values (?, ?) on conflict (name) do nothing', account, now);
    [row] = yield* find();
  }
  return (row as { id: number }).id;
}
