/** Attaching tables of structured data to samples. */
import type { AccountSettingsStore } from '../account-settings.js';
import { invalid } from '../body.js';
import { RegistryError } from '../errors.js';
import { type Caller, mayAttach, owns } from '../permissions.js';
import type { RegistryOptions } from '../registry-options.js';
import { type Conditions, requireConditions } from '../samples/conditions.js';
import { fingerprint } from '../samples/fingerprint.js';
import { accountFields, requireNotErased, requireSubmit, type SampleReader } from '../samples/sample-reader.js';
import type { AdmitTables, SampleStore } from '../samples/sample-store.js';
import { timeSlices } from '../time-slices.js';
import type { StructuredDataTable } from './structured-data.js';
import {
  notThere,
  parseStructuredData,
  type SentTable,
  type StructuredDataSetDocument,
  structuredDataDocument,
} from './structured-data-body.js';

export class StructuredDataService {
  constructor(
    private readonly store: SampleStore & Pick<AccountSettingsStore, 'accountSettings'>,
    private readonly reader: SampleReader,
    private readonly options: RegistryOptions,
  ) {}

  async put(
    accession: string,
    body: unknown,
    caller: Caller,
    conditions: Conditions,
  ): Promise<StructuredDataSetDocument> {
    requireSubmit(caller);
    const { sample } = await this.reader.readable(accession, caller);
    requireNotErased(sample, accession);
    if (!mayAttach(sample, caller, await this.store.accountSettings(sample.account))) {
      throw new RegistryError(
        'sample.not-owned',
        `${accession} belongs to another account, which lets no others attach data; ask its owner to attach it, or to open its samples with PUT /me/settings.`,
      );
    }
    const nextSlice = timeSlices();
    const read = parseStructuredData(body, accountFields(this.options));
    await nextSlice();
    if (read.accession !== undefined && read.accession !== accession) {
      throw new RegistryError(
        'sample.accession-mismatch',
        `The address names ${accession} and the body ${read.accession.slice(0, 100)}; make them the same.`,
      );
    }
    const isOwn = ({ account }: SentTable): boolean => account === null || account === caller.account;
    const foreign = read.tables.filter((table) => !isOwn(table));
    const now = this.options.now();
    const own = read.tables
      .filter(isOwn)
      .map((table) => ({ ...table, account: caller.account, created: now, updated: now }));
    const ofOthers = !owns(sample.account, caller);
    const fits = (present: readonly StructuredDataTable[]): void => {
      requireUnchanged(foreign, present);
      if (own.length === 0) throw invalid('data.invalid', [NONE_OWN]);
      if (ofOthers) requireRoomForTables(present, own, caller.account);
    };
    const record = await this.store.putStructuredData(
      sample.id,
      caller.account,
      own,
      now,
      this.admit(accession, conditions, foreign.length > 0 || ofOthers ? fits : undefined),
    );
    await nextSlice();
    return structuredDataDocument(accession, record.structuredData, this.options);
  }

  async delete(
    accession: string,
    which: { account?: string; type?: string },
    caller: Caller,
    conditions: Conditions,
  ): Promise<void> {
    requireSubmit(caller);
    const { sample } = await this.reader.toTakeFrom(accession, caller, ({ structuredData }) =>
      structuredData.some(({ account }) => account === caller.account),
    );
    const mayTakeAll = owns(sample.account, caller);
    if (!mayTakeAll && which.account !== undefined && which.account !== caller.account) {
      throw new RegistryError(
        'auth.forbidden',
        `Tables of account "${which.account.slice(0, 100)}" are taken away by that account, the sample's owner or an administrator.`,
      );
    }
    const asked = mayTakeAll ? which : { ...which, account: caller.account };
    if ((await this.store.deleteStructuredData(sample.id, asked, this.admit(accession, conditions))) === 0) {
      const { account, type } = asked;
      throw new RegistryError(
        'not-found',
        `${accession} has no structured data${account === undefined ? '' : ` of account "${account.slice(0, 100)}"`}${type === undefined ? '' : ` of the type "${type.slice(0, 100)}"`}.`,
      );
    }
  }

  async get(accession: string, caller: Caller | undefined): Promise<StructuredDataSetDocument> {
    const { structuredData } = await this.reader.readable(accession, caller);
    if (structuredData.length === 0) {
      throw new RegistryError('not-found', `${accession} has no structured data.`);
    }
    return structuredDataDocument(accession, structuredData, this.options);
  }

  /** `fits`: what is asked beside the conditions. */
  private admit(accession: string, conditions: Conditions, fits?: AdmitTables): AdmitTables | undefined {
    if (conditions.ifMatch === undefined && conditions.ifNoneMatch === undefined) return fits;
    const tagOf = (present: readonly StructuredDataTable[]): string =>
      fingerprint(structuredDataDocument(accession, present, this.options));
    return (present) => {
      requireConditions(conditions, `The structured data of ${accession}`, () =>
        present.length > 0 ? [tagOf(present)] : [],
      );
      fits?.(present);
    };
  }
}

const NONE_OWN = {
  dataPath: '/data',
  errors: ['holds no table of yours; add one, or take yours away with DELETE and ?account= your account'],
};

/** Who sends back what was read sends the tables of others as well: as they are, they are kept. @throws RegistryError auth.forbidden */
function requireUnchanged(foreign: readonly SentTable[], present: readonly StructuredDataTable[]): void {
  const changed = notThere(foreign, present);
  if (changed === undefined) return;
  throw new RegistryError(
    'auth.forbidden',
    `A table of account "${changed.account?.slice(0, 100)}" is replaced by that account only; send your own tables, with your account or null, and those of others as they are or not at all.`,
  );
}

/** What accounts other than the owner may attach to one sample, bytes of JSON: every reader of the sample pays for it. */
export const DATA_OF_OTHERS = { ofAccount: 64 * 1024, inAll: 256 * 1024 } as const;

/** @throws RegistryError data.limit */
function requireRoomForTables(
  present: readonly StructuredDataTable[],
  tables: readonly StructuredDataTable[],
  account: string,
): void {
  const size = (list: readonly StructuredDataTable[]): number => Buffer.byteLength(JSON.stringify(list));
  const own = size(tables);
  const all = own + size(present.filter((table) => table.account !== account));
  if (own <= DATA_OF_OTHERS.ofAccount && all <= DATA_OF_OTHERS.inAll) return;
  throw new RegistryError(
    'data.limit',
    `Accounts other than the owner attach at most ${DATA_OF_OTHERS.ofAccount} bytes each to a sample, while it holds at most ${DATA_OF_OTHERS.inAll}; these tables are ${own} bytes, ${all} with what is there. Send less, or have the owner attach it.`,
  );
}
