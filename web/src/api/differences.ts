import { useQuery } from '@tanstack/react-query';
import { ApiProblem, get } from './request.js';
import { submissionPath } from './submissions.js';

/** One cell of one sample that an update would change. */
export interface CellDifference {
  line: number;
  accession: string;
  column: string;
  before?: string;
  after?: string;
}

interface DifferencesDocument {
  differences: {
    line: number;
    accession: string;
    changes: { column: string; before?: string | null; after?: string | null }[];
  }[];
}

/** Null where the service does not tell them. */
export function useDifferences(id: string) {
  return useQuery({
    queryKey: ['differences', id],
    queryFn: async ({ signal }): Promise<CellDifference[] | null> => {
      try {
        return flat(await get<DifferencesDocument>(`${submissionPath(id)}/differences`, signal));
      } catch (error) {
        if (error instanceof ApiProblem && error.status === 404) return null;
        throw error;
      }
    },
    staleTime: Number.POSITIVE_INFINITY,
  });
}

const flat = ({ differences }: DifferencesDocument): CellDifference[] =>
  differences.flatMap(({ line, accession, changes }) =>
    changes.map(({ column, before, after }) => ({
      line,
      accession,
      column,
      ...(before == null ? {} : { before }),
      ...(after == null ? {} : { after }),
    })),
  );
