/** Samples of one request, by the hundred: all are looked at first, and nothing is written while one is wrong. */
import { joinProblems, MAX_PLACES } from '../body.js';
import { type ErrorCode, type MemberProblem, RegistryError } from '../errors.js';
import { isObject } from '../json-form.js';
import { pointerTo } from '../json-pointer.js';
import { type Caller, mayChange } from '../permissions.js';
import { timeSlices } from '../time-slices.js';
import { keyInList, type Written } from './repeated-requests.js';
import { accessionIn } from './sample-body.js';
import { requireSubmit, type SampleReader } from './sample-reader.js';
import type { SampleStore } from './sample-store.js';
import type { SampleWriter } from './sample-writer.js';

/** Writes that wait together share a commit (docs/decisions/0096-urgent-writes-share-a-transaction.md). */
const AT_ONCE = 25;
/** Characteristics of those. */
const WEIGHT_AT_ONCE = 2_000;

/** One of the samples, ready to be written where nothing is wrong with it. */
interface Candidate {
  name: string;
  problems: MemberProblem[];
  /** Characteristics. */
  weight: number;
  write: () => Promise<Written>;
}

export interface BulkReceipt {
  written: Written[];
  refused: { name: string; problems: MemberProblem[] }[];
}

export class BulkWriter {
  constructor(
    private readonly store: SampleStore,
    private readonly reader: SampleReader,
    private readonly writer: SampleWriter,
  ) {}

  /** Registers, or updates where a body names a sample. In the order of the bodies. @throws RegistryError samples.invalid */
  async submit(bodies: readonly unknown[], caller: Caller, key?: string): Promise<Written[]> {
    const candidates = await this.candidates(bodies, caller, { key });
    refuse(candidates);
    return write(candidates);
  }

  /** The same, but those that are good are written whatever the others are like. */
  async submitGood(bodies: readonly unknown[], caller: Caller, key?: string): Promise<BulkReceipt> {
    const candidates = await this.candidates(bodies, caller, { key });
    return {
      written: await write(candidates.filter(({ problems }) => problems.length === 0)),
      refused: candidates
        .filter(({ problems }) => problems.length > 0)
        .map(({ name, problems }) => ({ name, problems })),
    };
  }

  /** Placeholders; a release is left aside: they stay private until they are submitted. @throws RegistryError samples.invalid */
  async accession(bodies: readonly unknown[], caller: Caller, key?: string): Promise<Written[]> {
    requireSubmit(caller);
    const candidates: Candidate[] = [];
    const names = new Set<string>();
    const nextSlice = timeSlices();
    for (const [place, body] of bodies.entries()) {
      const { release: _, ...rest } = membersOf(body);
      const candidate = await attempt(nameOf(body), async () => {
        const { name, problems, store } = await this.writer.newSample(rest, caller, true, keyInList(key, place));
        return { name, problems, weight: weightOf(body), write: store };
      });
      const errors = ['is given twice; the answer is a map of names'];
      if (names.has(candidate.name)) candidate.problems = joinProblems(candidate.problems, [at('/name', errors)]);
      names.add(candidate.name);
      candidates.push(candidate);
      await nextSlice();
    }
    refuse(candidates);
    return write(candidates);
  }

  /** What `submit` would refuse. @throws RegistryError samples.invalid */
  async validate(bodies: readonly unknown[], caller: Caller): Promise<void> {
    refuse(await this.candidates(bodies, caller, { submits: false }));
  }

  /** `key`: of the request; each new sample is known again by its place in the list. */
  private async candidates(
    bodies: readonly unknown[],
    caller: Caller,
    { key, submits = true }: { key?: string | undefined; submits?: boolean },
  ): Promise<Candidate[]> {
    if (submits) requireSubmit(caller);
    const seen = new Set<string>();
    const nextSlice = timeSlices();
    const candidates: Candidate[] = [];
    for (const [place, body] of bodies.entries()) {
      const named = accessionIn(body);
      const candidate = await attempt(nameOf(body), () =>
        named === undefined ? this.create(body, caller, keyInList(key, place)) : this.change(named, body, caller),
      );
      if (named !== undefined && seen.has(named))
        candidate.problems = [at('/accession', [`names ${named.slice(0, 100)}, as another sample of the list does`])];
      if (named !== undefined) seen.add(named);
      candidates.push(candidate);
      await nextSlice();
    }
    return candidates;
  }

  private async create(body: unknown, caller: Caller, key: string | undefined): Promise<Candidate> {
    const { name, problems, store } = await this.writer.newSample(body, caller, false, key);
    return { name, problems, weight: weightOf(body), write: store };
  }

  private async change(accession: string, body: unknown, caller: Caller): Promise<Candidate> {
    const name = nameOf(body);
    const write = async () => ({ record: (await this.writer.update(accession, body, caller)).record, replayed: false });
    const current = await this.store.readSample(this.reader.idOf(accession));
    if (current === undefined) throw new RegistryError('sample.not-found', `names ${accession}, which is not here`);
    if (!mayChange(current.sample, caller) && caller.scopes.includes('submit'))
      return {
        name,
        problems: [at('/accession', [`names ${accession}, which belongs to another account`])],
        weight: 0,
        write,
      };
    await this.writer.validate(body, caller);
    return { name, problems: [], weight: weightOf(body), write };
  }
}

const at = (dataPath: string, errors: string[]): MemberProblem => ({ dataPath, errors });

/** Of the request as a whole. */
const UNSAID: readonly ErrorCode[] = ['auth.forbidden', 'sample.key-reused'];

/** What one body alone would be refused with becomes its problems. */
async function attempt(name: string, look: () => Promise<Candidate>): Promise<Candidate> {
  try {
    return await look();
  } catch (error) {
    if (!(error instanceof RegistryError) || UNSAID.includes(error.code)) throw error;
    const place = error.code === 'sample.not-found' ? '/accession' : '';
    const problems = error.detail.errors ?? [at(place, [error.message])];
    return { name, problems, weight: 0, write: () => Promise.reject(error) };
  }
}

/** Places are in the list: `/3/characteristics/sex/0/text`. */
function refuse(candidates: readonly Candidate[]): void {
  const errors: MemberProblem[] = [];
  for (const [number, { problems }] of candidates.entries()) {
    for (const { dataPath, errors: messages } of problems) {
      if (errors.length < MAX_PLACES) errors.push(at(`${pointerTo([number])}${dataPath}`, messages));
    }
  }
  if (errors.length === 0) return;
  const bad = candidates.filter(({ problems }) => problems.length > 0).length;
  const first = errors[0] as MemberProblem;
  throw new RegistryError(
    'samples.invalid',
    `${bad} of ${candidates.length} samples cannot be taken, and nothing was written. ${first.dataPath} ${first.errors[0]?.replace(/\.+$/, '')}.`,
    { errors },
  );
}

async function write(candidates: readonly Candidate[]): Promise<Written[]> {
  const written: Written[] = [];
  const nextSlice = timeSlices();
  for (let from = 0; from < candidates.length; ) {
    const group = candidates.slice(from, from + groupSize(candidates, from));
    written.push(...(await Promise.all(group.map((each) => each.write()))));
    from += group.length;
    await nextSlice();
  }
  return written;
}

/** A large sample is a long write by itself. */
function groupSize(candidates: readonly Candidate[], from: number): number {
  let weight = 0;
  let count = 0;
  for (const each of candidates.slice(from, from + AT_ONCE)) {
    weight += each.weight;
    if (count > 0 && weight > WEIGHT_AT_ONCE) break;
    count++;
  }
  return count;
}

const membersOf = (body: unknown): Record<string, unknown> => (isObject(body) ? body : {});

const weightOf = (body: unknown): number => Object.keys(membersOf(body).characteristics ?? {}).length;

const nameOf = (body: unknown): string => {
  const { name } = membersOf(body);
  return typeof name === 'string' ? name.slice(0, 1000) : '';
};
