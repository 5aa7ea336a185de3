/** What an upload has changed, from the versions that it wrote and those before them. */
import { formatAccession } from '../../registry/accession.js';
import type { StoredSample } from '../../registry/samples/sample.js';
import { sampleLots } from '../../registry/samples/sample-lots.js';
import type { Submission } from '../submission.js';
import { type CellChange, type ChangesDependencies, differences } from './changes.js';

/** Versions that are looked through for the one that a submission wrote; samples changed oftener since are left out. */
const MAX_LATER_VERSIONS = 100;

/** What an upload has changed: of every sample that it updated, the cells that differ from the version before. In order of lines. */
export async function* appliedChanges(deps: ChangesDependencies, submission: Submission): AsyncGenerator<CellChange> {
  const { store, prefix } = deps;
  for await (const { updated } of store.ledger(submission.id)) {
    for (const [first, firstId, count] of updated) {
      const ids = Array.from({ length: count }, (_, nth) => firstId + nth);
      let line = first;
      for await (const lot of sampleLots(store, ids)) {
        const from = line;
        line += lot.length;
        const written = await Promise.all(
          lot.map(({ record }, nth) => writtenVersions(store, record?.sample, submission.id, from + nth)),
        );
        for (const [nth, versions] of written.entries()) {
          if (versions === undefined) continue;
          const accession = formatAccession(prefix, lot[nth]?.id as number);
          yield* differences(from + nth, accession, ...versions, prefix);
        }
      }
    }
  }
}

/** The version that the line wrote, and the one before it. */
async function writtenVersions(
  store: ChangesDependencies['store'],
  present: StoredSample | undefined,
  submission: string,
  line: number,
): Promise<[former: StoredSample, written: StoredSample] | undefined> {
  let sample = present;
  for (let step = 0; sample && step < MAX_LATER_VERSIONS; step++) {
    const former = await store.readVersion(sample.id, sample.version - 1);
    if (sample.submissionId === submission && sample.line === line) return former && [former, sample];
    sample = former;
  }
  return undefined;
}
