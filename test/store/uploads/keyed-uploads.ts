/** Uploads with keys as a LIMS sends them, workers that die over them, and what must be stored in the end. */
import { randomUUID } from 'node:crypto';
import type { Store } from '../../../src/store/store.js';
import type { Blobs } from '../../../src/submissions/blobs.js';
import { processSubmission } from '../../../src/submissions/processing/process-submission.js';
import type { ProcessingStore } from '../../../src/submissions/processing/processing.js';
import type { Queue } from '../../../src/submissions/queue.js';
import { type Counts, isFinal, type Submission, type UploadOptions } from '../../../src/submissions/submission.js';
import { acceptUpload } from '../../../src/submissions/uploads/accept-upload.js';
import { commitDryRun, undoSubmission } from '../../../src/submissions/uploads/follow-up.js';
import type { Random } from '../../support/random.js';

export const SPACE = 'lims';
const LEASE_MS = 5_000;

const QUEUE: Queue = {
  publish: async () => {},
  consume: () => ({ stop: async () => {} }),
  announce: async () => {},
  waitFor: async () => false,
  check: async () => {},
  close: async () => {},
};

export interface Row {
  key: string;
  name: string;
  value: string;
  /** Key of the row whose sample this one is derived from. */
  parent?: string;
  /** Number of the sample that the row names. */
  id?: number;
}

export interface Upload {
  rows: Row[];
  /** Cells that no row can have, so that its row is refused. */
  bad?: ReadonlySet<string>;
  options: Partial<UploadOptions>;
  related: boolean;
}

export interface World {
  store: Store;
  blobs: Blobs;
  random: Random;
  account: string;
  clock: { now: number };
}

const cells = (row: readonly string[]): string => `${row.join('\t')}\n`;

export function sheetOf({ rows, related, bad }: Upload): string {
  const relation = related ? ['Comment[bsd_relationship:derived from]'] : [];
  const named = new Map(rows.map(({ key, name }) => [key, name]));
  const header = ['Sample Name', 'Barcode', 'Characteristics[value]', 'Sample Identifier', 'Release Date', ...relation];
  return [
    cells(header),
    ...rows.map(({ key, name, value, parent, id }) => {
      const parentCell = related ? [parent === undefined ? '' : (named.get(parent) ?? '')] : [];
      return cells([
        name,
        key,
        value,
        id === undefined ? '' : `SAMR${id}`,
        bad?.has(key) ? 'never' : '2020-01-01',
        ...parentCell,
      ]);
    }),
  ].join('');
}

const uploads = ({ store, blobs, clock }: World) => ({
  store,
  blobs,
  queue: QUEUE,
  prefix: 'SAMR',
  limits: { bytes: 20_000, rows: 200 },
  maxUploadBytes: 10_000_000,
  waitMs: 0,
  now: () => clock.now,
});

export const accept = (world: World, upload: Upload, keyed = true): Promise<string> =>
  acceptSheet(world, sheetOf(upload), { ...(keyed ? { key: 'barcode', keySpace: SPACE } : {}), ...upload.options });

export async function acceptSheet(world: World, sheet: string, given: Partial<UploadOptions>): Promise<string> {
  const options: UploadOptions = {
    mode: 'partial',
    update: 'replace',
    dryRun: false,
    duplicate: 'reuse',
    unknownColumns: 'characteristics',
    ...given,
  };
  async function* source() {
    yield Buffer.from(sheet);
  }
  const request = { account: world.account, admin: false, fileName: 'export.tsv', options, source: source() };
  return (await acceptUpload(uploads(world), randomUUID(), request)).submission.id;
}

const found = async ({ store }: World, id: string): Promise<Submission> => (await store.find(id)) as Submission;

export const undo = async (world: World, id: string): Promise<string> =>
  (await undoSubmission(uploads(world), await found(world, id), false)).submission.id;

export const commit = async (world: World, id: string): Promise<string> =>
  (await commitDryRun(uploads(world), await found(world, id), false)).submission.id;

/** A worker whose process may end before or after any batch is committed: from then on it says nothing to anybody. */
function mortal(store: Store, random: Random, deadliness: number): ProcessingStore {
  let dead = false;
  return new Proxy(store, {
    get: (target, name: keyof Store) => {
      const method = target[name] as (...given: unknown[]) => unknown;
      return async (...given: unknown[]) => {
        const before = name === 'applyBatch' && random.chance(deadliness);
        const after = name === 'applyBatch' && random.chance(deadliness);
        if (before) dead = true;
        if (dead) throw new Error('this process has ended');
        const answer = await method.apply(target, given);
        if (after) dead = true;
        if (dead) throw new Error('this process has ended');
        return answer;
      };
    },
  }) as unknown as ProcessingStore;
}

/** Two workers, until these submissions have ended. */
export async function work(world: World, ids: readonly string[], deadliness: number): Promise<Submission[]> {
  const { store, blobs, random, clock } = world;
  const look = (): Promise<Submission[]> => Promise.all(ids.map((id) => found(world, id)));
  const one = async (): Promise<boolean> => {
    for (const lane of ['small', 'large'] as const) {
      const rules = { maxAttempts: 1_000, outsideMs: 1e12 };
      const claim = await store.claimNext({ lane, worker: randomUUID(), leaseMs: LEASE_MS, ...rules });
      if (!claim) continue;
      const dying = mortal(store, random, deadliness);
      const deps = {
        store: new Proxy(dying, {
          get: (target, name) => (name === 'ledger' ? store.ledger.bind(store) : target[name as keyof ProcessingStore]),
        }),
        blobs,
        queue: QUEUE,
        prefix: 'SAMR',
        batchRows: 1 + random.below(5),
        leaseMs: LEASE_MS,
        rules,
        events: {},
      };
      await processSubmission(deps, claim, new AbortController().signal);
      return true;
    }
    return false;
  };
  let seen = await look();
  for (let turns = 0; !seen.every(({ state }) => isFinal(state)); turns++) {
    if (turns > 300) throw new Error(`nothing moves any more: ${JSON.stringify(ids)}`);
    const worked = await Promise.all([one(), one()]);
    // Leases of the dead run out, and waiting is over.
    if (!worked.some(Boolean)) clock.now += 60_000;
    const before = seen;
    seen = await look();
    // A long one that dies often gets on by some lines at a time.
    if (seen.some(({ cursor }, at) => cursor !== before[at]?.cursor)) turns = 0;
  }
  return seen;
}

interface Kept {
  id: number;
  name: string;
  value: string;
  parent?: string;
}

/** What the account must have: by key, the sample as it was last sent. */
export class Model {
  samples = new Map<string, Kept>();
  /** Samples that were ever registered, and those without a key. */
  registered = 0;
  readonly unkeyed: Kept[] = [];

  /** The same samples, to see what a dry run would do. */
  withSamples(other: Model): this {
    this.samples = new Map(other.samples);
    this.unkeyed.push(...other.unkeyed);
    return this;
  }

  /** What becomes of the rows of an upload. `learn` answers the number of a sample that was registered with this key. */
  async apply(upload: Upload, learn: (key: string) => Promise<number>): Promise<Counts> {
    const { rows, options } = upload;
    const refused = this.#refusedOf(upload);
    const counts = { rows: rows.length, created: 0, updated: 0, unchanged: 0, rejected: refused.size };
    if (options.mode === 'atomic' && refused.size > 0) return { ...counts, rejected: rows.length };
    for (const row of rows) if (!refused.has(row)) counts[this.#take(row, upload)]++;
    for (const [key, sample] of this.samples) if (sample.id === 0) sample.id = await learn(key);
    return counts;
  }

  #refusedOf({ rows, options, related }: Upload): Set<Row> {
    const refused = new Set<Row>();
    const seen = new Set<string>();
    for (const row of rows) {
      if (seen.has(row.key) || !this.#fits(row, options)) refused.add(row);
      seen.add(row.key);
    }
    if (related) refuseDerived(rows, refused);
    return refused;
  }

  /** The sample that a row names is that of its key, and there is one, or none, as the options ask. */
  #fits({ key, id }: Row, { onlyCreate, onlyUpdate }: Upload['options']): boolean {
    const known = this.samples.get(key);
    const hasOther = known ? known.id !== id : [...this.samples.values()].some((kept) => kept.id === id);
    if (id !== undefined && hasOther) return false;
    const isNew = !known && id === undefined;
    return isNew ? !onlyUpdate : !onlyCreate;
  }

  /** A dry run leaves the samples as they are. */
  #take({ key, name, value, id, parent }: Row, { related, options }: Upload): 'created' | 'updated' | 'unchanged' {
    const before = this.samples.get(key) ?? this.unkeyed.find((one) => one.id === id);
    const now = { name, value, ...(related && parent !== undefined ? { parent } : {}) };
    if (!options.dryRun) this.samples.set(key, { id: before?.id ?? 0, ...now });
    if (!options.dryRun && !before) this.registered++;
    if (!before) return 'created';
    const same = before.name === name && before.value === value && before.parent === now.parent;
    return same ? 'unchanged' : 'updated';
  }
}

/** A row whose sample is derived from that of a refused one is refused, too. */
function refuseDerived(rows: readonly Row[], refused: Set<Row>): void {
  const named = new Map(rows.map((row) => [row.key, row]));
  const lacksParent = ({ parent = '' }: Row): boolean => {
    const row = named.get(parent);
    return row !== undefined && refused.has(row);
  };
  for (let before = -1; before < refused.size; ) {
    before = refused.size;
    for (const row of rows) if (lacksParent(row)) refused.add(row);
  }
}
