/** Listing and searching samples, for GET /samples. */
import { formatAccession, parseAccession } from '../accession.js';
import { isDamaged, RegistryError } from '../errors.js';
import { resolveLineage } from '../lineage/lineage-filter.js';
import type { LineageStore } from '../lineage/lineage-samples.js';
import { type Caller, mayRead } from '../permissions.js';
import type { Registry, SampleView } from '../registry.js';
import type { RegistryOptions } from '../registry-options.js';
import { LOT_SAMPLES, type LotStore, type LotsFor, readLot } from '../samples/sample-lots.js';
import type { SampleRecord } from '../samples/sample-store.js';
import { timeSlices } from '../time-slices.js';
import type { FacetRequest } from './facets.js';
import { type FacetsDocument, facetsDocument } from './sample-facets-document.js';
import { parseSearch } from './search-query.js';
import { COUNTED, type SearchQuery, type SearchStart, type SearchStore } from './search-store.js';

export interface SampleSearchRequest {
  text?: string | undefined;
  /** As sent, e.g. `attr:organism:Homo sapiens`. */
  filters?: readonly string[];
  size: number;
  /** As the page before gave it. */
  cursor?: string | undefined;
  /** 0-based; totals are counted then. */
  page?: number | undefined;
  /** Counted of everything that is found. */
  facets?: FacetRequest | undefined;
  /** Of a caller without a token, for its turn among others. */
  network?: string;
}

export interface SampleSearchResult {
  /** Read as they are asked for: a page of large samples is never in memory whole. */
  samples: AsyncIterable<SampleView>;
  /** Accessions of samples of the page that cannot be read, since what is stored of them was damaged: known when `samples` are read. */
  damaged: readonly string[];
  /** Of the next page, when there is one; absent in page mode. */
  cursor?: string;
  /** In page mode, counted up to `COUNTED`. */
  total?: number;
  /** There are as many as `total` or more. */
  totalIsMinimum?: true;
  /** Changes that the answer leaves out, at most, because too many wait for the index; absent when it is complete. */
  notIndexed?: number;
  /** Where they are asked for. */
  facets?: FacetsDocument;
}

/** What is asked of the store. */
export interface AskedOfStore {
  query: Omit<SearchQuery, 'size'>;
  /** Changes that were not known when the samples of a lineage were looked for, at most. */
  missing: number;
}

/** For a caller; `store` is asked for the samples that filters of descent stand for. @throws RegistryError request.invalid, service.unavailable */
export async function searchQuery(
  store: LineageStore,
  { prefix, now }: { prefix: string; now: number },
  { text, filters = [] }: Pick<SampleSearchRequest, 'text' | 'filters'>,
  caller: Caller | undefined,
): Promise<AskedOfStore> {
  const { lineage, ...asked } = parseSearch(prefix, text, filters);
  const query = {
    ...asked,
    ...(caller === undefined ? {} : { reader: { account: caller.account, admin: caller.admin } }),
    now,
  };
  if (lineage === undefined) return { query, missing: 0 };
  const { ids, missing } = await resolveLineage(store, lineage, { prefix, now, caller });
  const named = query.ids && new Set(query.ids);
  return { query: { ...query, ids: named ? ids.filter((id) => named.has(id)) : ids }, missing };
}

export class SampleSearch {
  constructor(
    private readonly store: Pick<SearchStore, 'findSamples' | 'readContents'> & LotStore,
    private readonly registry: Pick<Registry, 'view'>,
    private readonly options: Pick<RegistryOptions, 'prefix' | 'now'>,
    private readonly lotsFor: LotsFor = () => store,
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
    const asked = await searchQuery(this.store, { prefix: this.options.prefix, now }, request, caller);
    const { facets: wanted, network } = request;
    const query = {
      ...asked.query,
      size,
      ...(network === undefined ? {} : { network }),
      ...(wanted === undefined ? {} : { facets: wanted }),
    };
    const found = await this.store.findSamples(query, startOf(request));
    const { ids, next, total, counted } = found;
    const missing = Math.max(found.missing, asked.missing);
    const facets = found.facets && { ...found.facets, missing: Math.max(found.facets.missing, asked.missing) };
    const damaged: string[] = [];
    return {
      samples: this.views(ids, this.lotsFor(caller, network), caller, now, damaged),
      damaged,
      ...(next === undefined || request.page !== undefined ? {} : { cursor: writeCursor(next) }),
      ...(total === undefined ? {} : { total }),
      ...(counted === false ? { totalIsMinimum: true } : {}),
      ...(missing > 0 ? { notIndexed: missing } : {}),
      ...(facets === undefined ? {} : { facets: facetsDocument(facets) }),
    };
  }

  /**
   * Which of these samples, that the caller may read, meet all filters now; withdrawn ones too.
   * @throws RegistryError request.invalid; service.unavailable while the index is too far behind to say
   */
  async matching(
    accessions: readonly string[],
    filters: readonly string[],
    caller: Caller | undefined,
  ): Promise<ReadonlySet<string>> {
    const { prefix } = this.options;
    const asked = await searchQuery(this.store, { prefix, now: this.options.now() }, { filters }, caller);
    const given = new Set(asked.query.ids);
    const ids = accessions.flatMap((accession) => parseAccession(prefix, accession) ?? []);
    const query = {
      ...asked.query,
      ids: asked.query.ids ? ids.filter((id) => given.has(id)) : ids,
      withdrawn: asked.query.withdrawn ?? ('too' as const),
      size: Math.max(1, ids.length),
    };
    const found = await this.store.findSamples(query, {});
    // Also what columns tell alone, an account or a date, is found by the index.
    const missing = Math.max(found.missing, asked.missing);
    if (missing > 0) throw new RegistryError('service.unavailable', `The search index is ${missing} changes behind.`);
    return new Set(found.ids.map((id) => formatAccession(prefix, id)));
  }

  private async *views(
    ids: readonly number[],
    lots: LotStore,
    caller: Caller | undefined,
    now: number,
    damaged: string[],
  ): AsyncGenerator<SampleView> {
    const nextSlice = timeSlices();
    for (let left = ids; left.length > 0; ) {
      await nextSlice();
      const { records, read } = await this.readable(lots, left, damaged);
      for (const record of records) {
        // The index may lag behind a sample that was withdrawn a moment ago.
        if (mayRead(record.sample, caller, now)) yield this.registry.view(record, true);
        await nextSlice();
      }
      left = left.slice(read);
    }
  }

  /** The next ones: a sample that cannot be read keeps no other out of a list. */
  private async readable(
    lots: LotStore,
    ids: readonly number[],
    damaged: string[],
    most?: number,
  ): Promise<{ records: SampleRecord[]; read: number }> {
    try {
      return await readLot(lots, ids, most);
    } catch (error) {
      if (!isDamaged(error)) throw error;
      if (most === 1) {
        damaged.push(formatAccession(this.options.prefix, ids[0] as number));
        return { records: [], read: 1 };
      }
      return this.readable(lots, ids, damaged, Math.ceil((most ?? Math.min(ids.length, LOT_SAMPLES)) / 2));
    }
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
