import { useQuery } from '@tanstack/react-query';
import { get } from './request.js';

/** What a service may or may not offer, by the address that shows it in the interface description. */
const ADDRESSES = {
  commit: '/submissions/{id}/commit',
  undo: '/submissions/{id}/undo',
  sampleTemplate: '/samples/template',
  history: '/samples/{accession}/history',
  search: '/samples',
  operations: '/operations',
  differences: '/submissions/{id}/differences',
} as const;

export type Feature = keyof typeof ADDRESSES;

/** The features that the service describes; all of them while it does not describe itself. */
export function useFeatures(): ReadonlySet<Feature> {
  const { data } = useQuery({
    queryKey: ['features'],
    queryFn: async ({ signal }) => {
      const { paths } = await get<{ paths?: Record<string, unknown> }>('/openapi.json', signal);
      const folded = new Set(Object.keys(paths ?? {}).map(foldParameters));
      return new Set(FEATURES.filter((feature) => folded.has(foldParameters(ADDRESSES[feature]))));
    },
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
  return data ?? ALL;
}

const FEATURES = Object.keys(ADDRESSES) as Feature[];
const ALL: ReadonlySet<Feature> = new Set(FEATURES);

/** Parameters may be named otherwise. */
const foldParameters = (path: string): string => path.replace(/\{[^}]*\}/g, '{}');
