/** Samples that a standing sheet has no more, as its plan found them or its commit withdrew them. */
import { formatAccession } from '../../registry/accession.js';
import { RegistryError } from '../../registry/errors.js';
import type { SearchStore } from '../../registry/search/search-store.js';
import type { Submission } from '../submission.js';
import type { SubmissionStore } from '../submission-store.js';
import { isPlan } from './standing.js';

export interface MissingSample {
  accession: string;
  /** Absent where it was taken away since. */
  key?: string;
  name: string;
}

/** Content of samples read at once, for their names. */
const READ_BYTES = 4 * 1024 * 1024;

export interface MissingDependencies {
  store: Pick<SubmissionStore, 'ledger' | 'knownKeys'> & Pick<SearchStore, 'readContents'>;
  prefix: string;
}

/** In the order of accessions, chunk by chunk of the ledger. @throws RegistryError conflict without an end, not-found for other files */
export async function* missingSamples(
  { store, prefix }: MissingDependencies,
  submission: Submission,
): AsyncGenerator<MissingSample> {
  const { id, standing } = submission;
  if (standing === undefined) {
    if (isPlan(submission.options)) {
      const still = submission.state === 'ACTIVE';
      const why = still ? 'still runs; ask again when it has ended' : 'did not reach its end; upload the export again';
      throw new RegistryError('conflict', `Submission ${id} ${why}.`);
    }
    throw new RegistryError('not-found', `Submission ${id} is no standing sheet, so nothing is missing from it.`);
  }
  for await (const { missing = [] } of store.ledger(id)) {
    const ids = missing.flatMap(([, first, count]) => Array.from({ length: count }, (_, at) => first + at));
    const { keys } =
      ids.length === 0 ? { keys: new Map<number, string>() } : await store.knownKeys(submission, [], ids);
    for (let rest = ids; rest.length > 0; ) {
      const { records, read } = await store.readContents(rest, READ_BYTES);
      for (const { sample } of records) {
        const key = keys.get(sample.id);
        yield {
          accession: formatAccession(prefix, sample.id),
          ...(key === undefined ? {} : { key }),
          name: sample.name,
        };
      }
      rest = rest.slice(read);
    }
  }
}
