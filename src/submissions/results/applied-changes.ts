/** What an upload has changed, from the versions that it wrote and those before them. */
import { formatAccession } from '../../registry/accession.js';
import { formerVersions, lastMeant, sampleLots } from '../../registry/samples/sample-lots.js';
import type { Submission } from '../submission.js';
import { type CellChange, type ChangesDependencies, differences, type Shown } from './changes.js';

/** Versions that are looked through for the one that a submission wrote; samples changed oftener since are left out. */
const MAX_LATER_VERSIONS = 100;

/** What an upload has changed: of every sample that it updated, the cells that differ from the version before. In order of lines. */
export async function* appliedChanges(
  deps: ChangesDependencies,
  submission: Submission,
  shown: Shown,
): AsyncGenerator<CellChange> {
  const { store, prefix } = deps;
  for await (const { updated } of store.ledger(submission.id)) {
    for (const [first, firstId, count] of updated) {
      const ids = Array.from({ length: count }, (_, nth) => firstId + nth);
      let line = first;
      for await (const lot of sampleLots(store, ids)) {
        const from = line;
        line += lot.length;
        const written = await lastMeant(
          store,
          lot.map(({ record }) => record?.sample),
          (sample, nth) => sample.submissionId === submission.id && sample.line === from + nth,
          MAX_LATER_VERSIONS,
        );
        for (const [nth, former] of (await formerVersions(store, written)).entries()) {
          const sample = written[nth];
          if (!sample || !former || !shown(former)) continue;
          yield* differences(from + nth, formatAccession(prefix, sample.id), former, sample, prefix);
        }
      }
    }
  }
}
