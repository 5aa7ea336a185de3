import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { Answered } from './contract.js';
import { get, query } from './request.js';
import { samplePath } from './samples.js';

export type Lineage = Answered<'/samples/{accession}/lineage'>;
export type LineageNode = Lineage['nodes'][number];
export type LineageEdge = Lineage['edges'][number];

/** `depth`: steps in each direction. */
export function useLineage(accession: string, depth: number) {
  return useQuery({
    queryKey: ['lineage', accession, depth],
    queryFn: ({ signal }) => get<Lineage>(`${samplePath(accession)}/lineage${query({ depth, nodes: 500 })}`, signal),
    placeholderData: keepPreviousData,
  });
}
