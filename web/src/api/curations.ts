import { useQuery } from '@tanstack/react-query';
import { ApiProblem, get } from './request.js';
import { type Relationship, samplePath } from './samples.js';

export interface CuratedAttribute {
  type: string;
  value: string;
  iri?: string[];
  unit?: string;
}

export interface CurationLink {
  hash: string;
  submissionAccountId?: string;
  domain?: string | null;
  created?: string;
  /** False when a part of it no longer fits the sample, so that it changes nothing. */
  applied?: boolean;
  curation: {
    attributesPre?: CuratedAttribute[];
    attributesPost?: CuratedAttribute[];
    externalReferencesPre?: { url: string }[];
    externalReferencesPost?: { url: string }[];
    relationshipsPre?: Relationship[];
    relationshipsPost?: Relationship[];
  };
}

interface LinkList {
  _embedded?: { curationLinks?: CurationLink[]; curationlinks?: CurationLink[] };
}

/** The curations of a sample; none where it has none. */
export function useCurations(accession: string) {
  return useQuery({ queryKey: ['curations', accession], queryFn: ({ signal }) => listCurations(accession, signal) });
}

async function listCurations(accession: string, signal: AbortSignal): Promise<CurationLink[]> {
  try {
    const { _embedded } = await get<LinkList>(`${samplePath(accession)}/curationlinks?size=200`, signal);
    return _embedded?.curationLinks ?? _embedded?.curationlinks ?? [];
  } catch (error) {
    if (error instanceof ApiProblem && (error.status === 404 || error.status === 403)) return [];
    throw error;
  }
}
