/** Relationships that a submission opened and that still wait for a sample of their name. */
import { formatAccession } from '../../registry/accession.js';
import type { OpenRelationship, OpenRelationshipStore } from '../open-relationship-store.js';

export interface ListedRelationship {
  line: number;
  /** Of the sample that waits. */
  accession: string;
  type: string;
  /** The name that is still to come. */
  name: string;
}

/** Read at a time. */
const PAGE = 500;

/** By accession; none of those that were completed meanwhile. */
export async function* openRelationshipsOf(
  { store, prefix }: { store: Pick<OpenRelationshipStore, 'openRelationships'>; prefix: string },
  submissionId: string,
): AsyncGenerator<ListedRelationship> {
  for (let after: OpenRelationship | undefined; ; ) {
    const page = await store.openRelationships({ submissionId }, after, PAGE);
    for (const { line, sample, type, name } of page)
      yield { line, accession: formatAccession(prefix, sample), type, name };
    after = page.at(-1);
    if (page.length < PAGE) return;
  }
}
