/** Listing and searching samples, for GET /samples. */
import { setImmediate } from 'node:timers/promises';
import { RegistryError } from './errors.js';
import { type Caller, mayRead } from './permissions.js';
import type { Registry, SampleView } from './registry.js';
import type { RegistryOptions } from './registry-options.js';
import { parseSearch } from './search-query.js';
import { COUNTED, type SearchStart, type SearchStore } from './search-store.js';

export interface SampleSearchRequest {
  text?: string | undefined;
  /** As sent, e.g. `attr:organism:Homo sapiens`. */
  filters?: readonly string[];
  size: number;
  /** As the page before gave it. */
  cursor?: string | undefined;
  /** 0-based; totals are counted then. */
  page?: number | undefined;
}

export interface SampleSearchResult {
  samples: SampleView[];
  /** Of the next page, when there is one; absent in page mode. */
  cursor?: string;
  /** In page mode, counted up to `COUNTED`. */
  total?: number;
  /** There are as many as `total` or more. */
  totalIsMinimum?: true;
  /** Changes that the answer leaves out, at most, because too many wait for the index; absent when it is complete. */
  notIndexed?: number;
}

export class SampleSearch {
  constructor(
    private readonly store: Pick<SearchStore, 'findSamples' | 'readSamples'>,
    private readonly registry: Pick<Registry, 'view'>,
    private readonly options: Pick<RegistryOptions, 'prefix' | 'now'>,
  ) {}

  /** Newest first, as far as the caller may read. @throws RegistryError request.invalid */
  async search(request: SampleSearchRequest, caller: Caller | undefined): Promise<SampleSearchResult> {
    const { page = 0, size } = request;
    if (page > 0 && page * size >= COUNTED) {
      throw new RegistryError(
        'request.invalid',
        `Page ${page} of ${size} samples each begins behind sample ${COUNTED}; pages end there. Narrow the search with filters, or leave "page" out and follow the links "next".`,
      );
    }
    const now = this.options.now();
    const query = {
      ...parseSearch(this.options.prefix, request.text, request.filters ?? []),
      ...(caller === undefined ? {} : { reader: { account: caller.account, admin: caller.admin } }),
      now,
      size: request.size,
    };
    const { ids, next, total, counted, missing } = await this.store.findSamples(query, startOf(request));
    const records = await this.store.readSamples(ids);
    // The index may lag behind a sample that was withdrawn a moment ago.
    const readable = records.filter(({ sample }) => mayRead(sample, caller, now));
    const samples: SampleView[] = [];
    for (const record of readable) {
      samples.push(this.registry.view(record, true));
      // A page of much curated samples takes its time; other requests come in between.
      if (record.curationLinks.length > 0) await setImmediate();
    }
    return {
      samples,
      ...(next === undefined || request.page !== undefined ? {} : { cursor: writeCursor(next) }),
      ...(total === undefined ? {} : { total }),
      ...(counted === false ? { totalIsMinimum: true } : {}),
      ...(missing > 0 ? { notIndexed: missing } : {}),
    };
  }
}

function startOf({ cursor, page }: SampleSearchRequest): SearchStart {
  if (page !== undefined) return { page };
  return cursor === undefined ? {} : { before: readCursor(cursor) };
}

const writeCursor = (id: number): string => Buffer.from(id.toString(36)).toString('base64url');

function readCursor(cursor: string): number {
  const text = Buffer.from(cursor, 'base64url').toString('latin1');
  const id = /^[0-9a-z]{1,11}$/.test(text) ? Number.parseInt(text, 36) : Number.NaN;
  if (!Number.isSafeInteger(id)) {
    throw new RegistryError('request.invalid', 'The cursor is not one of ours; follow the link "next" of a page.');
  }
  return id;
}
