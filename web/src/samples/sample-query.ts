/** What the view of samples shows, kept in its address: Back, a link and a reload show the same again. */
import { useMemo } from 'react';
import { useSearchParams } from 'wouter';

export interface SampleQuery {
  text: string;
  /** Spelt as the service reads them: `attr:organism:Homo sapiens`. */
  filters: readonly string[];
  /** Chosen by the reader; undefined: the view's own choice. */
  columns: readonly string[] | undefined;
  /** Pages of the list that are open. */
  pages: number;
  /** Whether the counts by value stand beside the list. */
  counts: boolean;
}

/** So many are opened again by an address. */
const MAX_PAGES = 20;

export function useSampleQuery(): [SampleQuery, (part: Partial<SampleQuery>) => void] {
  const [params, setParams] = useSearchParams();
  const present = useMemo(() => read(params), [params]);
  // The former address is replaced: Back leads to the view before, not through every letter that was typed.
  const change = (part: Partial<SampleQuery>) => setParams(() => write({ ...present, ...part }), { replace: true });
  return [present, change];
}

function read(params: URLSearchParams): SampleQuery {
  const pages = Math.trunc(Number(params.get('pages') ?? 1));
  return {
    text: params.get('text') ?? '',
    filters: params.getAll('filter'),
    columns: params.has('column') ? params.getAll('column').filter(Boolean) : undefined,
    pages: pages >= 1 ? Math.min(pages, MAX_PAGES) : 1,
    counts: params.has('counts'),
  };
}

function write({ text, filters, columns, pages, counts }: SampleQuery): URLSearchParams {
  const params = new URLSearchParams();
  if (text !== '') params.set('text', text);
  for (const filter of filters) params.append('filter', filter);
  if (columns) for (const column of columns.length > 0 ? columns : ['']) params.append('column', column);
  if (pages > 1) params.set('pages', String(Math.min(pages, MAX_PAGES)));
  if (counts) params.set('counts', 'shown');
  return params;
}
