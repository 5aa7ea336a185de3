/** Registering, updating and validating samples from JSON bodies. Over 250 lines: the rules of one body, in the order in which they hold. */
import type { KnownAccounts } from '../account-settings.js';
import { invalid, joinProblems } from '../body.js';
import { formatDateTime } from '../date-time.js';
import { type MemberProblem, RegistryError } from '../errors.js';
import { pointerTo } from '../json-pointer.js';
import type { Caller } from '../permissions.js';
import type { RegistryOptions } from '../registry-options.js';
import { sameTables } from '../structured-data/structured-data-body.js';
import { impliedTaxId, withoutFilledIn } from '../tax-id.js';
import { timeSlices } from '../time-slices.js';
import type { Conditions } from './conditions.js';
import { layOver } from './decide.js';
import { RepeatedRequests, type Written } from './repeated-requests.js';
import { accountMembers, contentMembers, contentTaxId, recordMembers, type SampleDocument } from './representation.js';
import { requestedStatus } from './requested-status.js';
import type { HeldStatus, SampleDraft } from './sample.js';
import { parseSampleBody, type SampleBody } from './sample-body.js';
import type { SampleKeyStore } from './sample-key-store.js';
import {
  accountFields,
  notFound,
  requireChange,
  requireNotErased,
  requireSubmit,
  type SampleReader,
} from './sample-reader.js';
import { SampleRules } from './sample-rules.js';
import {
  type NewSample,
  type SampleDecision,
  type SampleRecord,
  type SampleStore,
  withNothingAttached,
} from './sample-store.js';
import { statusOf } from './status.js';

const YEARS_PRIVATE = 100;

/** A body checked against the sample that it is to become, or be laid over. */
interface Prepared {
  draft: SampleDraft;
  /** Only where there is a sample: the body says what is stored, or what readers see. Then nothing more is asked of it. */
  unchanged: boolean;
  adminStatus: HeldStatus | null | undefined;
  problems: MemberProblem[];
}

/** A sample that is not there yet, checked. To be stored only where nothing is wrong with it. */
export interface NewCandidate {
  name: string;
  problems: MemberProblem[];
  sample: NewSample;
  store: () => Promise<Written>;
}

export class SampleWriter {
  private readonly rules: SampleRules;
  private readonly requests: RepeatedRequests;

  constructor(
    private readonly store: SampleStore & SampleKeyStore & KnownAccounts,
    private readonly reader: SampleReader,
    private readonly options: RegistryOptions,
  ) {
    this.rules = new SampleRules(store, options);
    this.requests = new RepeatedRequests(store);
  }

  /** `key`: the Idempotency-Key of the request. */
  async register(body: unknown, caller: Caller, key?: string): Promise<Written> {
    requireSubmit(caller);
    return register(await this.newSample(body, caller, false, key));
  }

  async accession(body: unknown, caller: Caller, key?: string): Promise<Written> {
    requireSubmit(caller);
    return register(await this.newSample(body, caller, true, key));
  }

  /** Nothing is wrong with one that the request with this key registered before. @throws RegistryError sample.accession-given, sample.key-reused, request.invalid, checklist.unknown */
  async newSample(body: unknown, caller: Caller, placeholder: boolean, key?: string): Promise<NewCandidate> {
    const read = await this.parseNew(body, !placeholder);
    if (!placeholder) return this.candidate(read, caller, false, key);
    if (read.release !== undefined || read.problems.some(({ dataPath }) => dataPath === '/release')) {
      const errors = ['does not belong here: the placeholder stays private until PUT /samples/{accession} submits it'];
      read.problems = joinProblems([{ dataPath: '/release', errors }], read.problems);
    }
    const release = new Date(this.options.now());
    release.setUTCFullYear(release.getUTCFullYear() + YEARS_PRIVATE);
    return this.candidate({ ...read, release: release.getTime() }, caller, true, key);
  }

  async update(
    accession: string,
    body: unknown,
    caller: Caller,
    conditions: Conditions = {},
  ): Promise<{ record: SampleRecord; changed: boolean }> {
    requireSubmit(caller);
    const before = await this.store.readSample(this.reader.idOf(accession));
    if (before === undefined) throw notFound(accession);
    requireChange(before.sample, accession, caller);
    const nextSlice = timeSlices();
    const read = parseSampleBody(body, { release: true, accession: true }, accountFields(this.options));
    await nextSlice();
    if (read.accession !== undefined && read.accession !== accession) {
      throw new RegistryError(
        'sample.accession-mismatch',
        `The address names ${accession} and the body ${read.accession.slice(0, 100)}; make them the same.`,
      );
    }
    await this.forgetImplied(read, before);
    const first = this.prepare(read, caller, before);
    await nextSlice();
    // What is there already was checked when it came: a checklist that changed since keeps nobody from sending it back.
    const checked = first.unchanged ? undefined : await this.check(read, first, false);
    for (let problems = checked; ; ) {
      let decided: SampleDecision['kind'] | 'unchecked' = 'unchanged';
      const record = await this.store.updateSample(before.sample.id, (current) => {
        requireNotErased(current.sample, accession);
        this.reader.requireConditions(conditions, accession, current);
        this.refuseData(accession, read, current);
        const prepared = this.prepare(read, caller, current);
        throwAll(prepared.problems);
        decided = prepared.unchanged ? 'unchanged' : problems === undefined ? 'unchecked' : 'update';
        if (decided !== 'update') return { kind: 'unchanged' };
        throwAll(problems ?? []);
        return {
          kind: 'update',
          draft: prepared.draft,
          provenance: { author: caller.account, via: 'JSON_API' },
          ...(prepared.adminStatus === undefined ? {} : { adminStatus: prepared.adminStatus }),
        };
      });
      if (record === undefined) throw notFound(accession);
      await nextSlice();
      if ((decided as string) !== 'unchecked') return { record, changed: (decided as string) === 'update' };
      // Somebody else changed the sample in between.
      problems = await this.check(read, this.prepare(read, caller, record), false);
    }
  }

  /** What PUT would say of it where the body names a sample that the caller may read, else what POST would. */
  async validate(body: unknown, caller: Caller): Promise<Omit<SampleDocument, 'accession'>> {
    const nextSlice = timeSlices();
    const read = parseSampleBody(body, { release: true, accession: false }, accountFields(this.options));
    await nextSlice();
    const current = read.accession === undefined ? undefined : await this.reader.find(read.accession, caller);
    if (current) requireNotErased(current.sample, read.accession as string);
    this.refuseData(read.accession ?? '{accession}', read, current);
    await this.forgetImplied(read, current);
    const prepared = this.prepare(read, caller, current);
    await nextSlice();
    const problems = () =>
      current === undefined ? this.checkNew(read, prepared, caller, false) : this.check(read, prepared, false);
    throwAll(prepared.unchanged ? prepared.problems : await problems());
    await nextSlice();
    const { content, name, release } = prepared.draft;
    const now = this.options.now();
    const adminStatus = prepared.adminStatus === undefined ? current?.sample.adminStatus : prepared.adminStatus;
    return {
      name,
      ...(content.domain ? { domain: content.domain } : {}),
      ...(read.account === undefined
        ? {}
        : accountMembers(current?.sample.account ?? ownerOf(read, caller), this.options)),
      ...contentTaxId(content),
      status: statusOf({ release, ...(adminStatus ? { adminStatus } : {}) }, now),
      release: formatDateTime(release),
      update: formatDateTime(now),
      ...contentMembers(content, read.accession),
      submittedVia: 'JSON_API',
      create: formatDateTime(now),
      ...recordMembers(content),
    };
  }

  /** @throws RegistryError sample.accession-given, request.invalid for structured data */
  private async parseNew(body: unknown, release: boolean): Promise<SampleBody> {
    const nextSlice = timeSlices();
    const read = parseSampleBody(body, { release, accession: false }, accountFields(this.options));
    if (read.accession !== undefined) {
      throw new RegistryError(
        'sample.accession-given',
        `A new sample gets its accession here; leave out "accession", or PUT to /samples/${read.accession.slice(0, 100)} to update that sample.`,
      );
    }
    this.refuseData('{accession}', read, undefined);
    await nextSlice();
    return read;
  }

  private async candidate(
    read: SampleBody,
    caller: Caller,
    placeholder: boolean,
    key: string | undefined,
  ): Promise<NewCandidate> {
    const nextSlice = timeSlices();
    const { name } = read;
    const prepared = this.prepare(read, caller, undefined);
    const sample: NewSample = {
      draft: prepared.draft,
      account: ownerOf(read, caller),
      author: caller.account,
      via: 'JSON_API',
      placeholder,
      ...(prepared.adminStatus ? { adminStatus: prepared.adminStatus } : {}),
    };
    const before =
      key === undefined || read.problems.length > 0 ? undefined : await this.requests.find(sample, key, caller);
    if (before) return { name, problems: [], sample, store: async () => ({ record: before, replayed: true }) };
    const problems = await this.checkNew(read, prepared, caller, placeholder);
    await nextSlice();
    const store = async (): Promise<Written> => {
      if (key !== undefined) return this.requests.create(sample, key, caller);
      const created = await this.store.createSample(sample);
      await nextSlice();
      return { record: withNothingAttached(created), replayed: false };
    };
    return { name, problems, sample, store };
  }

  /** Synchronous and pure. */
  private prepare(read: SampleBody, caller: Caller, current: SampleRecord | undefined): Prepared {
    const release = read.release ?? current?.sample.release ?? Number.NaN;
    const given = { name: read.name, release, content: withoutFilledIn(read.content, read.accession) };
    const laid = current && layOver(current.sample, given, { shown: this.reader.curated(current) });
    const asked = Number.isNaN(release)
      ? { change: undefined }
      : requestedStatus({
          status: read.status,
          release,
          current: current?.sample,
          admin: caller.admin,
          now: this.options.now(),
        });
    const problem = 'problem' in asked ? [{ dataPath: '/status', errors: [asked.problem] }] : [];
    const adminStatus = 'problem' in asked ? undefined : asked.change;
    const sameStatus = adminStatus === undefined || adminStatus === (current?.sample.adminStatus ?? null);
    return {
      draft: laid?.draft ?? given,
      adminStatus,
      problems: joinProblems(read.problems, problem),
      unchanged: laid !== undefined && sameStatus && laid.unchanged,
    };
  }

  /** What followed from the version before is not said by anybody, too: an update that is sent again, because its answer was lost, says the same again. */
  private async forgetImplied({ content }: SampleBody, current: SampleRecord | undefined): Promise<void> {
    if (content.taxId === undefined || current === undefined || current.sample.version === 1) return;
    if (current.sample.content.taxId !== undefined) return;
    const former = await this.store.readVersion(current.sample.id, current.sample.version - 1);
    if (former && former.content.taxId === undefined && impliedTaxId(former.content) === content.taxId) {
      delete content.taxId;
    }
  }

  private async check(read: SampleBody, { draft, problems }: Prepared, placeholder: boolean): Promise<MemberProblem[]> {
    const { name, content } = draft;
    const release = read.release === undefined ? {} : { release: read.release };
    return joinProblems(problems, await this.rules.problemsOf({ name, content, ...release }, placeholder));
  }

  /** Also whether there is the account that a new sample is to belong to: one that nobody has is made on purpose and nowhere else. */
  private async checkNew(
    read: SampleBody,
    prepared: Prepared,
    caller: Caller,
    placeholder: boolean,
  ): Promise<MemberProblem[]> {
    const problems = await this.check(read, prepared, placeholder);
    const owner = ownerOf(read, caller);
    if (read.account === undefined || owner === caller.account) return problems;
    if (await this.store.findAccount(owner)) return problems;
    const errors = [
      `names "${owner.slice(0, 100)}", and there is no such account; correct it, make the account first (POST /accounts), or leave it out`,
    ];
    return joinProblems(problems, [{ dataPath: pointerTo([read.account.field]), errors }]);
  }

  /** `data` may only come back as it was read. */
  private refuseData(accession: string, { data }: SampleBody, current: SampleRecord | undefined): void {
    if (data === undefined) return;
    if (current && sameTables(data, current.structuredData, accountFields(this.options))) return;
    throw new RegistryError(
      'request.invalid',
      `"data" does not belong in a sample's body unless it is what is attached already; send it with PUT /structureddata/${accession.slice(0, 100)}.`,
    );
  }
}

/** An account in a body is an administrator's to give. */
const ownerOf = ({ account }: SampleBody, caller: Caller): string =>
  caller.admin && account !== undefined ? account.name : caller.account;

/** @throws RegistryError sample.invalid */
function register({ problems, store }: NewCandidate): Promise<Written> {
  throwAll(problems);
  return store();
}

/** @throws RegistryError sample.invalid, unless there are none */
export function throwAll(problems: MemberProblem[]): void {
  if (problems.length > 0) throw invalid('sample.invalid', problems);
}
