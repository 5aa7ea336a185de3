import { useQuery } from '@tanstack/react-query';
import { ApiProblem, get, query } from './request.js';

export interface ChecklistSummary {
  id: string;
  title: string;
  description?: string;
  version?: string;
  source?: 'shipped' | 'directory';
  required?: string[];
  fields?: number;
  /** Its template, where the service makes templates. */
  _links?: { template?: { href: string } };
}

export interface ChecklistField {
  name: string;
  required: boolean;
  description?: string;
  allowedValues?: string[];
  /** What the value has to look like, in words and with an example. */
  form?: string;
  format?: string;
  unitRequired?: boolean;
  allowedUnits?: string[];
  termRequired?: boolean;
  example?: string;
}

export interface Checklist extends Omit<ChecklistSummary, 'fields'> {
  fields?: ChecklistField[];
}

/** All checklists; none where the service offers none. */
export function useChecklists() {
  return useQuery({ queryKey: ['checklists'], queryFn: ({ signal }) => listChecklists(signal), staleTime: 300_000 });
}

async function listChecklists(signal: AbortSignal): Promise<ChecklistSummary[]> {
  try {
    const list = await get<{ _embedded?: { checklists: ChecklistSummary[] } }>('/checklists', signal);
    return list._embedded?.checklists ?? [];
  } catch (error) {
    if (error instanceof ApiProblem && error.status === 404) return [];
    throw error;
  }
}

export function useChecklist(id: string) {
  return useQuery({
    queryKey: ['checklist', id],
    queryFn: ({ signal }) => get<Checklist>(`/checklists/${encodeURIComponent(id)}`, signal),
    staleTime: 300_000,
  });
}

export const templatePath = (id: string, format: 'tsv' | 'xlsx'): string =>
  `/checklists/${encodeURIComponent(id)}/template${query({ format })}`;
