import type { ImportProfile } from '../../../../src/tsv/header/profile.js';
import { whyNotSent } from '../../api/chosen-file.js';
import { query, request, ServerAway } from '../../api/request.js';
import type { SheetProposal } from './mapping.js';

/** Bytes of a text that the service looks at. */
const LOOKED_AT = 256 * 1024;

export interface Asked {
  sheet?: string;
  headerLine?: number;
  encoding?: string;
}

/** What the columns of a file are taken for. A workbook is sent whole. @throws ApiProblem, ServerAway, FileChanged */
export async function askProposal(file: File, whole: boolean, asked: Asked): Promise<SheetProposal> {
  const form = new FormData();
  form.append('file', whole ? file : file.slice(0, LOOKED_AT), file.name);
  const path = `/profile-proposals${query({ ...asked, ...(whole ? { text: 'true' } : {}) })}`;
  try {
    return (await request<SheetProposal>(path, { method: 'POST', form })).body;
  } catch (error) {
    throw error instanceof ServerAway ? await whyNotSent(file, error) : error;
  }
}

/** `replaced`: the version that was there when this was decided. @throws ApiProblem (412 when there is another one by now), ServerAway */
export const keepProfile = (name: string, document: ImportProfile, replaced: number | undefined): Promise<unknown> =>
  request(`/profiles/${encodeURIComponent(name)}`, {
    method: 'PUT',
    json: document,
    headers: replaced === undefined ? { 'If-None-Match': '*' } : { 'If-Match': `"${replaced}"` },
  });
