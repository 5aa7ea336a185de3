import { useQuery } from '@tanstack/react-query';
import { get } from './request.js';

interface Description {
  paths?: Record<string, { get?: { parameters?: { name: string }[] } }>;
}

/** What a service may or may not offer, by the address that shows it in the interface description. */
const ADDRESSES = {
  sampleTemplate: '/samples/template',
  history: '/samples/{accession}/history',
} as const;

export type Feature = keyof typeof ADDRESSES | 'errorsWorkbook';

/** The features that the service describes; none that may be missing while it is not known. */
export function useFeatures(): ReadonlySet<Feature> {
  const { data } = useQuery({
    queryKey: ['features'],
    queryFn: async ({ signal }) => featuresOf(await get<Description>('/openapi.json', signal)),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
  return data ?? NONE;
}

const NONE: ReadonlySet<Feature> = new Set();

function featuresOf({ paths = {} }: Description): ReadonlySet<Feature> {
  const known = new Map(Object.entries(paths).map(([path, operations]) => [foldParameters(path), operations]));
  const features = new Set<Feature>();
  for (const [feature, path] of Object.entries(ADDRESSES)) {
    if (known.has(foldParameters(path))) features.add(feature as Feature);
  }
  const errors = known.get(foldParameters('/submissions/{id}/errors'));
  if (errors?.get?.parameters?.some(({ name }) => name === 'format')) features.add('errorsWorkbook');
  return features;
}

/** Parameters may be named otherwise. */
const foldParameters = (path: string): string => path.replace(/\{[^}]*\}/g, '{}');
