/** Samples that a standing sheet has no more, as its plan found them or its commit withdrew them. */
import { formatAccession } from '../registry/accession.js';
import { RegistryError } from '../registry/errors.js';
import type { SampleStore } from '../registry/sample-store.js';
import type { Submission } from './submission.js';
import type { SubmissionStore } from './submission-store.js';

export interface MissingSample {
  accession: string;
  /** Absent where it was taken away since. */
  key?: string;
  name: string;
}

interface Dependencies {
  store: Pick<SubmissionStore, 'ledger' | 'knownKeys'> & Pick<SampleStore, 'readSample'>;
  prefix: string;
}

/** In the order of accessions, chunk by chunk of the ledger. @throws RegistryError conflict while it runs, not-found for other files */
export async function* missingSamples(
  { store, prefix }: Dependencies,
  submission: Submission,
): AsyncGenerator<MissingSample> {
  const { id, standing } = submission;
  if (standing === undefined) {
    const planned = submission.options.standing !== undefined && submission.state === 'ACTIVE';
    if (planned) throw new RegistryError('conflict', `Submission ${id} still runs; ask again when it has ended.`);
    throw new RegistryError('not-found', `Submission ${id} is no standing sheet, so nothing is missing from it.`);
  }
  for await (const { missing = [] } of store.ledger(id)) {
    const ids = missing.flatMap(([, first, count]) => Array.from({ length: count }, (_, at) => first + at));
    const { keys } =
      ids.length === 0 ? { keys: new Map<number, string>() } : await store.knownKeys(submission, [], ids);
    for (const sample of ids) {
      const key = keys.get(sample);
      const name = (await store.readSample(sample))?.sample.name ?? '';
      yield { accession: formatAccession(prefix, sample), ...(key === undefined ? {} : { key }), name };
    }
  }
}
