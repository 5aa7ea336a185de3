/**
 * Batch edits: samples chosen by a search, as they are at one moment, or named one by one, become the file of a
 * submission like any other. Only samples that the caller may change are chosen; others that are found are counted.
 */
import { createHash } from 'node:crypto';
import { formatAccession, parseAccession } from '../registry/accession.js';
import type { SampleChange } from '../registry/changes/sample-change-list.js';
import { RegistryError } from '../registry/errors.js';
import { type Caller, mayRead } from '../registry/permissions.js';
import { canonicalJson } from '../registry/samples/canonical.js';
import type { SampleStore } from '../registry/samples/sample-store.js';
import { searchQuery } from '../registry/search/sample-search.js';
import type { SearchStore } from '../registry/search/search-store.js';
import { timeSlices } from '../registry/time-slices.js';
import { editHead, editLine } from '../submissions/batch-edit/edit-file.js';
import type { EditOrder } from '../submissions/submission.js';
import type { UploadAnswer, Uploads } from '../submissions/uploads/uploads.js';
import type { SampleExports } from './sample-exports.js';

export interface BatchEditRequest {
  /** Either what a search asks for, or accessions, or all samples that the caller may change. */
  select: { text?: string; filter?: string[]; accessions?: string[]; all?: true };
  changes: SampleChange[];
  dryRun: boolean;
  mode: 'partial' | 'atomic';
  checklist?: string;
}

interface BatchEditDependencies {
  exports: SampleExports;
  uploads: Uploads;
  store: Pick<SearchStore, 'findSamples' | 'readSamples' | 'readContents'> & Pick<SampleStore, 'findOwners'>;
  prefix: string;
  now: () => number;
}

interface Chosen {
  lines: AsyncIterable<Buffer | string>;
  leftOut?: EditOrder['leftOut'];
  end(): Promise<void>;
}

/** Accessions in one request; more come as a file. */
export const MAX_EDIT_ACCESSIONS = 10_000;
/** Samples that are looked through for some that are left out, and those that are named. */
const LOOKED_THROUGH = 200;
const NAMED = 5;
/** Samples whose names are read at once: each may have a megabyte. */
const READ_AT_ONCE = 50;

export class BatchEdits {
  constructor(private readonly deps: BatchEditDependencies) {}

  /** @throws RegistryError edit.no-samples, and what a search and an upload throw */
  async accept(request: BatchEditRequest, caller: Caller, idempotencyKey?: string): Promise<UploadAnswer> {
    const { select, changes, dryRun, mode, checklist } = request;
    const chosen = await (select.accessions
      ? this.#named(select.accessions, caller)
      : this.#found(select, caller, idempotencyKey));
    try {
      const { accessions, ...others } = select;
      const { leftOut } = chosen;
      return await this.deps.uploads.accept({
        account: caller.account,
        admin: caller.admin,
        fileName: fileName(changes),
        ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
        options: {
          mode,
          dryRun,
          update: 'replace',
          duplicate: 'reuse',
          unknownColumns: 'characteristics',
          ...(checklist === undefined ? {} : { checklist }),
          edit: {
            changes,
            select: { ...others, ...(accessions ? { accessions: accessions.length } : {}) },
            ...(leftOut === undefined ? {} : { leftOut }),
            request: createHash('sha256').update(canonicalJson({ select, changes, mode, checklist })).digest('hex'),
          },
        },
        source: fileOf(changes, chosen.lines),
      });
    } finally {
      await chosen.end();
    }
  }

  async #found({ text, filter = [] }: BatchEditRequest['select'], caller: Caller, key?: string): Promise<Chosen> {
    const { exports } = this.deps;
    const asked = { text, filters: filter, format: 'accessions' as const, curated: false, registry: '' };
    const all = caller.admin ? 0 : await exports.count(asked, caller, caller.account);
    const found = await exports.begin(caller.admin ? asked : { ...asked, of: caller.account }, caller, caller.account);
    try {
      // Asked again with its key, an edit is answered though its own change has left nothing to be found.
      const again = found.count > 0 || (key !== undefined && (await this.deps.uploads.knowsKey(caller.account, key)));
      if (!again) throw noSamples(all);
      const count = caller.admin ? 0 : Math.max(0, all - found.count);
      const leftOut = count === 0 ? {} : { leftOut: { count, examples: await this.#othersAmong(asked, caller) } };
      return { lines: found.file.read(), ...leftOut, end: found.end };
    } catch (error) {
      await found.end();
      throw error;
    }
  }

  /** Some of the samples that a search finds and the caller may not change. */
  async #othersAmong(asked: { text?: string | undefined; filters: string[] }, caller: Caller): Promise<string[]> {
    const { store, prefix, now } = this.deps;
    const { query } = await searchQuery(store, { prefix, now: now() }, asked, caller);
    const { ids } = await store.findSamples({ ...query, size: LOOKED_THROUGH }, {});
    const owners = await store.findOwners(ids);
    const examples: string[] = [];
    for (const id of ids.filter((each) => owners.get(each) !== caller.account)) {
      const [record] = await store.readSamples([id]);
      // The index may lag behind a sample that was withdrawn a moment ago.
      if (record && mayRead(record.sample, caller, now())) examples.push(formatAccession(prefix, id));
      if (examples.length === NAMED) break;
    }
    return examples;
  }

  async #named(accessions: readonly string[], caller: Caller): Promise<Chosen> {
    const { prefix, store } = this.deps;
    const ids = accessions.map((accession) => parseAccession(prefix, accession.trim()) ?? 0);
    const owners = await store.findOwners(ids.filter((id) => id !== 0));
    const mayChange = (id: number): boolean => owners.has(id) && (caller.admin || owners.get(id) === caller.account);
    const nextSlice = timeSlices();
    const lines = async function* (): AsyncGenerator<string> {
      for (let at = 0; at < ids.length; at += READ_AT_ONCE) {
        const group = ids.slice(at, at + READ_AT_ONCE);
        const records = await store.readSamples(group.filter(mayChange));
        const names = new Map(records.map(({ sample }) => [sample.id, sample.name]));
        yield group.map((id, n) => editLine((accessions[at + n] as string).trim(), names.get(id))).join('');
        await nextSlice();
      }
    };
    return { lines: lines(), end: async () => undefined };
  }
}

async function* fileOf(changes: readonly SampleChange[], lines: AsyncIterable<Buffer | string>) {
  yield Buffer.from(editHead(changes));
  for await (const piece of lines) yield Buffer.from(piece);
}

/** Of the characteristics that are changed, without what no file may be called. */
function fileName(changes: readonly SampleChange[]): string {
  const names = changes.map((change) => {
    if ('release' in change) return 'release date';
    return 'set' in change ? change.set : 'rename' in change ? change.rename : change.clear;
  });
  const listed = names.join(', ').replace(/[\p{C}\p{Zl}\p{Zp}/\\:*?"<>|]/gu, '_');
  return `edit of ${listed.slice(0, 100)}.ndjson`;
}

const noSamples = (others: number): RegistryError =>
  new RegistryError(
    'edit.no-samples',
    others === 0
      ? 'The search finds no samples, so there is nothing to edit. Look at GET /samples with the same words and filters.'
      : `The search finds ${others} samples, and all of them belong to other accounts: ask their owners, or narrow the search to samples of yours.`,
  );
