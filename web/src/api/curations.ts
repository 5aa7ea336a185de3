import { useQuery } from '@tanstack/react-query';
import type { Answered } from './contract.js';
import { ApiProblem, get } from './request.js';
import { samplePath } from './samples.js';

type LinkList = Answered<'/samples/{accession}/curationlinks'>;

/** `applied` is false when a part of it no longer fits the sample, so that it changes nothing. */
export type CurationLink = NonNullable<LinkList['_embedded']>['curationLinks'][number];

/** The curations of a sample, in the order in which they apply; none where they may not be read. */
export function useCurations(accession: string) {
  return useQuery({ queryKey: ['curations', accession], queryFn: ({ signal }) => listCurations(accession, signal) });
}

async function listCurations(accession: string, signal: AbortSignal): Promise<CurationLink[]> {
  try {
    const { _embedded } = await get<LinkList>(`${samplePath(accession)}/curationlinks?size=200`, signal);
    return _embedded?.curationLinks ?? [];
  } catch (error) {
    if (error instanceof ApiProblem && (error.status === 404 || error.status === 403)) return [];
    throw error;
  }
}
