/** Registering, updating and validating samples from JSON bodies. */
import { sameJson } from './canonical.js';
import { formatDateTime } from './date-time.js';
import { sameDraft } from './decide.js';
import { RegistryError } from './errors.js';
import { fingerprint, matchesTag } from './fingerprint.js';
import { type Caller, mayChange } from './permissions.js';
import type { RegistryOptions } from './registry-options.js';
import {
  accountMembers,
  contentMembers,
  contentTaxId,
  recordMembers,
  type SampleDocument,
  tableDocument,
} from './representation.js';
import { ADMIN_STATUSES, type AdminStatus, type SampleDraft } from './sample.js';
import { parseSampleBody, type SampleBody } from './sample-body.js';
import { accountFields, notFound, requireSubmit, type SampleReader } from './sample-reader.js';
import { SampleRules } from './sample-rules.js';
import type { SampleDecision, SampleRecord, SampleStore } from './sample-store.js';
import { statusOf } from './status.js';
import { impliedTaxId } from './tax-id.js';

const YEARS_PRIVATE = 100;

export class SampleWriter {
  private readonly rules: SampleRules;

  constructor(
    private readonly store: SampleStore,
    private readonly reader: SampleReader,
    private readonly options: RegistryOptions,
  ) {
    this.rules = new SampleRules(store, options);
  }

  async register(body: unknown, caller: Caller): Promise<SampleRecord> {
    requireSubmit(caller);
    const read = this.parse(body, { release: true });
    return this.create(read, { ...draftOf(read), release: read.release as number }, caller, false);
  }

  async accession(body: unknown, caller: Caller): Promise<SampleRecord> {
    requireSubmit(caller);
    const read = this.parse(body, { release: false });
    const release = new Date(this.options.now());
    release.setUTCFullYear(release.getUTCFullYear() + YEARS_PRIVATE);
    return this.create(read, { ...draftOf(read), release: release.getTime() }, caller, true);
  }

  async update(
    accession: string,
    body: unknown,
    caller: Caller,
    ifMatch: string | undefined,
  ): Promise<{ record: SampleRecord; changed: boolean }> {
    requireSubmit(caller);
    const id = this.reader.idOf(accession);
    const owner = (await this.store.findOwners([id])).get(id);
    if (owner === undefined) throw notFound(accession);
    if (!mayChange({ account: owner }, caller)) {
      throw new RegistryError(
        'sample.not-owned',
        `${accession} belongs to another account; ask its owner to change it.`,
      );
    }
    const read = parseSampleBody(body, { release: true, accession: true }, accountFields(this.options));
    if (read.accession !== accession) {
      throw new RegistryError(
        'sample.accession-mismatch',
        `The address names ${accession} and the body ${read.accession?.slice(0, 100)}; make them the same.`,
      );
    }
    const draft = { ...draftOf(read, accession), release: read.release as number };
    await this.rules.check(draft, read.content);
    let changed = false;
    const record = await this.store.updateSample(id, (current) => {
      this.requireMatch(accession, current, ifMatch);
      refuseData(accession, read, current);
      const decision = decide(current, draft, statusChange(read, caller), caller);
      changed = decision.kind === 'update';
      return decision;
    });
    if (record === undefined) throw notFound(accession);
    return { record, changed };
  }

  async validate(body: unknown, caller: Caller): Promise<Omit<SampleDocument, 'accession'>> {
    const read = this.parse(body, { release: true }, true);
    const draft = { ...draftOf(read), release: read.release as number };
    await this.rules.check(draft, read.content);
    const now = this.options.now();
    return {
      name: read.name,
      ...(read.content.domain ? { domain: read.content.domain } : {}),
      ...(read.account === undefined ? {} : accountMembers(caller.account, this.options)),
      ...contentTaxId(read.content),
      status: statusOf(draft, now),
      release: formatDateTime(draft.release),
      update: formatDateTime(now),
      ...contentMembers(read.content, undefined),
      submittedVia: 'JSON_API',
      create: formatDateTime(now),
      ...recordMembers(read.content),
    };
  }

  /** Structured data and, unless it is only validated, an accession are refused. */
  private parse(body: unknown, need: { release: boolean }, mayHaveAccession = false): SampleBody {
    const read = parseSampleBody(body, { ...need, accession: false }, accountFields(this.options));
    if (read.accession !== undefined && !mayHaveAccession) {
      throw new RegistryError(
        'sample.accession-given',
        `A new sample gets its accession here; leave out "accession", or PUT to /samples/${read.accession.slice(0, 100)} to update that sample.`,
      );
    }
    if (read.data !== undefined) throw dataRefused('{accession}');
    return read;
  }

  private async create(
    read: SampleBody,
    draft: SampleDraft,
    caller: Caller,
    placeholder: boolean,
  ): Promise<SampleRecord> {
    await this.rules.check(draft, read.content);
    const account = caller.admin && read.account !== undefined ? read.account : caller.account;
    const sample = await this.store.createSample({
      draft,
      account,
      author: caller.account,
      via: 'JSON_API',
      placeholder,
    });
    return { sample, curationLinks: [], structuredData: [] };
  }

  private requireMatch(accession: string, current: SampleRecord, ifMatch: string | undefined): void {
    if (ifMatch === undefined) return;
    const tags = [true, false].map((curated) => fingerprint(this.reader.document(current, curated)));
    if (matchesTag(ifMatch, tags, 'strong')) return;
    throw new RegistryError(
      'precondition.failed',
      `${accession} has changed since it was read; read it again and repeat the change on what it is now.`,
    );
  }
}

/** What GET fills in is taken out again, so that what was read can be sent back without changing anything. */
function draftOf({ name, content }: SampleBody, accession?: string): Omit<SampleDraft, 'release'> {
  const relationships = content.relationships.map(({ source, ...rest }) =>
    source === undefined || source === accession ? rest : { source, ...rest },
  );
  const { taxId, ...others } = content;
  const said = taxId === undefined || taxId === impliedTaxId(content) ? {} : { taxId };
  return { name, content: { ...others, ...said, relationships } };
}

function decide(
  { sample }: SampleRecord,
  draft: SampleDraft,
  adminStatus: AdminStatus | null | undefined,
  caller: Caller,
): SampleDecision {
  const sameStatus = adminStatus === undefined || adminStatus === (sample.adminStatus ?? null);
  if (sameStatus && sample.submitted !== undefined && sameDraft(sample, draft)) return { kind: 'unchanged' };
  return {
    kind: 'update',
    draft,
    provenance: { author: caller.account, via: 'JSON_API' },
    ...(adminStatus === undefined ? {} : { adminStatus }),
  };
}

/** An administrator's body may set a status of ours or take it back; anybody else's status is what GET gave them. */
function statusChange({ status }: SampleBody, caller: Caller): AdminStatus | null | undefined {
  if (!caller.admin || status === undefined) return undefined;
  const administrative = ADMIN_STATUSES.find((one) => one === status);
  return administrative ?? (status === 'PUBLIC' || status === 'PRIVATE' ? null : undefined);
}

/** `data` may only come back as it was read. */
function refuseData(accession: string, { data }: SampleBody, { structuredData }: SampleRecord): void {
  if (data === undefined) return;
  const present = structuredData.map(tableDocument);
  if (!sameJson(data, present)) throw dataRefused(accession);
}

const dataRefused = (accession: string): RegistryError =>
  new RegistryError(
    'request.invalid',
    `"data" does not belong in a sample's body; send it with PUT /structureddata/${accession}.`,
  );
