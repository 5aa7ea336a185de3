/**
 * Whole results that are made while nobody waits and kept for a while, for callers. Others' do not exist for them. One
 * that was asked for as administrator holds what is private to others, and is there for administrators alone.
 */
import { randomUUID } from 'node:crypto';
import type { ExportFormat } from '../formats/names.js';
import { RegistryError } from '../registry/errors.js';
import type { Caller } from '../registry/permissions.js';
import { canonicalJson } from '../registry/samples/canonical.js';
import type { KeptExport, KeptExportStore, KeptFile, KeptRequest } from '../registry/search/kept-export-store.js';
import { parseSearch } from '../registry/search/search-query.js';
import type { Blobs } from '../submissions/blobs.js';
import { keyOf, removeFiles } from './kept-files.js';

export interface KeptExportSettings {
  /** How long they are kept, milliseconds. */
  keepMs: number;
  /** Of one account, waiting ones too. */
  ofOne: number;
  /** Bytes of those of one account, and of all. */
  bytes: { ofOne: number; inAll: number };
}

export interface KeptExportDependencies {
  store: KeptExportStore;
  blobs: Pick<Blobs, 'open' | 'delete'>;
  settings: KeptExportSettings;
  prefix: string;
  now: () => number;
  /** One is to be made. */
  ordered: () => void;
}

/** Of all accounts, waiting ones too. */
const KEPT_IN_ALL = 1_000;
const RETRY_AFTER_S = 600;

export class KeptExports {
  constructor(private readonly deps: KeptExportDependencies) {}

  /** One that still waits and asks for the same is the same. @throws RegistryError request.invalid, conflict, rate.limited */
  async order(request: KeptRequest, caller: Caller): Promise<KeptExport> {
    const { store, settings, prefix, now, ordered } = this.deps;
    parseSearch(prefix, request.text, request.filters);
    const waiting = (await this.list(caller)).find((one) => isWaitingFor(one, request, caller));
    if (waiting) return waiting;
    const created = now();
    const { account, admin } = caller;
    const order = { id: randomUUID(), account, admin, request, created, expires: created + settings.keepMs };
    const { ofAccount } = await store.keptBytes(account);
    if (ofAccount >= settings.bytes.ofOne) throw tooMuch(`${ofAccount} bytes of whole results`);
    const answer = await store.orderExport(order, { ofOne: settings.ofOne, inAll: KEPT_IN_ALL });
    if (answer === 'of one') throw tooMuch(`${settings.ofOne} whole results`);
    if (answer === 'in all') {
      throw new RegistryError(
        'rate.limited',
        `${KEPT_IN_ALL} whole results are kept or wait, which is as many as there may be; try again in ${RETRY_AFTER_S / 60} minutes, or take the result at once with GET /samples/export.`,
        { extra: { retryAfter: RETRY_AFTER_S } },
      );
    }
    ordered();
    return { ...order, state: 'ACTIVE', attempts: 0, handedBack: 0 };
  }

  /** @throws RegistryError not-found, for others' as for those that there are not */
  async find(id: string, caller: Caller): Promise<KeptExport> {
    const found = await this.deps.store.findExport(id, this.deps.now());
    if (found && mayTake(found, caller)) return found;
    throw unknownExport(id);
  }

  /** Newest first; of an administrator those of all accounts. */
  async list(caller: Caller): Promise<KeptExport[]> {
    const listed = await this.deps.store.listExports(
      caller.admin ? undefined : caller.account,
      this.deps.now(),
      KEPT_IN_ALL,
    );
    return listed.filter((one) => mayTake(one, caller));
  }

  /** Ends its making, too. @throws RegistryError not-found */
  async remove(id: string, caller: Caller): Promise<void> {
    const { store, blobs, now } = this.deps;
    const found = await this.find(id, caller);
    await store.removeExport(id, now());
    if (found.state === 'ACTIVE') return;
    await removeFiles(blobs, found);
    await store.forgetExport(id);
  }

  /**
   * Its bytes from `start` to before `end`.
   * @throws RegistryError not-found with the first byte, where the file is not in this storage
   */
  async *open({ id, attempts }: KeptExport, { bytes }: KeptFile, range: { start?: number; end?: number } = {}) {
    try {
      for await (const piece of this.deps.blobs.open(keyOf({ id, attempts }), { ...range, size: bytes })) {
        yield piece as Buffer;
      }
    } catch (error) {
      if (!(error instanceof RegistryError) || error.code !== 'not-found') throw error;
      throw new RegistryError(
        'not-found',
        `The file of export ${id} is not there any more (a restored backup has none of them); ask for it anew.`,
        { cause: error },
      );
    }
  }
}

/** What it was ordered with. */
export const requestOf = ({ request }: KeptExport) => request as KeptRequest & { format: ExportFormat };

/** @throws RegistryError conflict for one that is not made */
export function requireFile({ id, state, problem, file }: KeptExport): KeptFile {
  if (file) return file;
  throw new RegistryError(
    'conflict',
    state === 'ACTIVE'
      ? `Export ${id} is still being made; GET /samples/exports/${id} says when it is COMPLETED.`
      : `Export ${id} FAILED and has no file: ${problem?.message ?? 'ask for it anew.'}`,
  );
}

export const unknownExport = (id: string): RegistryError =>
  new RegistryError('not-found', `There is no export ${id} of yours; GET /samples/exports lists those that there are.`);

const mayTake = ({ account, admin }: KeptExport, caller: Caller): boolean =>
  caller.admin || (caller.account === account && !admin);

const isWaitingFor = ({ account, admin, state, attempts, request }: KeptExport, asked: KeptRequest, by: Caller) =>
  state === 'ACTIVE' &&
  attempts === 0 &&
  account === by.account &&
  admin === by.admin &&
  canonicalJson(request) === canonicalJson(asked);

const tooMuch = (what: string): RegistryError =>
  new RegistryError(
    'conflict',
    `The account keeps ${what}, the most that it may; take away one that you need no more (DELETE /samples/exports/{id}) or wait until it expires.`,
  );
