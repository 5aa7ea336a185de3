/** Attaching tables of structured data to samples. */
import { RegistryError } from './errors.js';
import type { Caller } from './permissions.js';
import type { RegistryOptions } from './registry-options.js';
import { accountFields, requireSubmit, type SampleReader } from './sample-reader.js';
import type { SampleStore } from './sample-store.js';
import { parseStructuredData, type StructuredDataSetDocument, structuredDataDocument } from './structured-data-body.js';

export class StructuredDataDesk {
  constructor(
    private readonly store: SampleStore,
    private readonly reader: SampleReader,
    private readonly options: RegistryOptions,
  ) {}

  async put(accession: string, body: unknown, caller: Caller): Promise<StructuredDataSetDocument> {
    requireSubmit(caller);
    const { sample } = await this.reader.readable(accession, caller);
    const read = parseStructuredData(body, accountFields(this.options));
    if (read.accession !== undefined && read.accession !== accession) {
      throw new RegistryError(
        'sample.accession-mismatch',
        `The address names ${accession} and the body ${read.accession.slice(0, 100)}; make them the same.`,
      );
    }
    const foreign = read.tables.find(({ account }) => account !== null && account !== caller.account);
    if (foreign) {
      throw new RegistryError(
        'auth.forbidden',
        `A table of account "${foreign.account}" is replaced by that account only; send your own tables, with your account or null.`,
      );
    }
    const now = this.options.now();
    const tables = read.tables.map((table) => ({ ...table, account: caller.account, created: now, updated: now }));
    const record = await this.store.putStructuredData(sample.id, caller.account, tables, now);
    return structuredDataDocument(accession, record.structuredData);
  }

  async get(accession: string, caller: Caller | undefined): Promise<StructuredDataSetDocument> {
    const { structuredData } = await this.reader.readable(accession, caller);
    if (structuredData.length === 0) {
      throw new RegistryError('not-found', `${accession} has no structured data.`);
    }
    return structuredDataDocument(accession, structuredData);
  }
}
