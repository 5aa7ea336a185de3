/** The one rule about targets of relationships that requests bring, of a sample or of a curation. */
import { nearAccession, parseAccession } from '../accession.js';
import { Problems } from '../body.js';
import type { MemberProblem } from '../errors.js';
import type { SampleStore } from './sample-store.js';

/** A target that bears our prefix, or would if it were written as accessions are, must exist; a foreign one is accepted. `path`: of the list. */
export async function missingTargets(
  store: Pick<SampleStore, 'findOwners'>,
  prefix: string,
  relationships: readonly { target: string }[],
  path: readonly PropertyKey[],
): Promise<MemberProblem[]> {
  const ours = relationships
    .map(({ target }, at) => ({ target, at, meant: nearAccession(prefix, target) }))
    .filter(
      ({ target, meant }) =>
        meant !== undefined || (target.startsWith(prefix) && /^\d+$/.test(target.slice(prefix.length))),
    );
  if (ours.length === 0) return [];
  const ids = ours.flatMap(({ target }) => parseAccession(prefix, target) ?? []);
  const owners = await store.findOwners([...new Set(ids)]);
  const problems = new Problems();
  for (const { target, at, meant } of ours) {
    const place = [...path, at, 'target'];
    const id = parseAccession(prefix, target);
    if (meant !== undefined) problems.add(place, notAsWritten(target, meant));
    else if (id === undefined || !owners.has(id)) {
      problems.add(place, `names ${target}, and there is no such sample here`);
    }
  }
  return problems.found;
}

const notAsWritten = (target: string, meant: string): string =>
  `names ${JSON.stringify(target)}, which is no accession as it is written; write ${meant} if that is meant`;
