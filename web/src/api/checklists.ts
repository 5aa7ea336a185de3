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
}

export interface ChecklistField {
  name: string;
  required: boolean;
  description?: string;
  allowedValues?: string[];
  pattern?: string;
  format?: string;
  unitRequired?: boolean;
  allowedUnits?: string[];
  termRequired?: boolean;
  example?: string;
}

export interface Checklist extends Omit<ChecklistSummary, 'fields'> {
  fields?: ChecklistField[];
}

interface ChecklistList {
  _embedded?: { checklists?: ChecklistSummary[] };
  checklists?: ChecklistSummary[];
}

/** All checklists; none where the service offers none. */
export function useChecklists() {
  return useQuery({ queryKey: ['checklists'], queryFn: ({ signal }) => listChecklists(signal), staleTime: 300_000 });
}

async function listChecklists(signal: AbortSignal): Promise<ChecklistSummary[]> {
  try {
    const list = await get<ChecklistList>('/checklists', signal);
    return list._embedded?.checklists ?? list.checklists ?? [];
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
