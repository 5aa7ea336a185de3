/** What clients ask for in the scenes, each answer with what it promises. */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { submissionIdOf } from '../support/api-caller.js';
import type { RecordedApi } from './recorder.js';

export async function upload(api: RecordedApi, sheet: string): Promise<string> {
  return settled(api, submissionIdOf(await api.upload(sheet)));
}

/** Resolves to its id once it has ended. */
export async function settled(api: RecordedApi, id: string): Promise<string> {
  api.promise({ kind: 'submission', id, ended: false });
  await api.settled(id);
  api.promise({ kind: 'submission', id, ended: true });
  return id;
}

/** Samples, an update, a curation, structured data. */
export async function jsonWrites(api: RecordedApi): Promise<void> {
  const write = async (note: string, accession?: string): Promise<string> => {
    const body = { name: 'one', release: '2024-01-15T00:00:00Z', characteristics: { note: [{ text: note }] } };
    const answer = accession
      ? await api.send('PUT', `/samples/${accession}`, { ...body, accession })
      : await api.send('POST', '/samples', body);
    expect([200, 201]).toContain(answer.status);
    const written = answer.json<{ accession: string }>().accession;
    api.promise({ kind: 'sample', accession: written, note });
    return written;
  };
  const accession = await write('first');
  await write('of another');
  await write('second', accession);
  const add = async (method: string, path: string, body: object, value: string): Promise<void> => {
    const { status, text } = await api.send(method, path, body);
    expect([200, 201], text).toContain(status);
    api.promise({ kind: 'added', accession, value });
  };
  const curation = { attributesPost: [{ type: 'note', value: 'curated' }] };
  await add('POST', `/samples/${accession}/curationlinks`, { sample: accession, curation }, 'curated');
  const data = [{ type: 'AMR', content: [{ drug: { value: 'penicillin' } }] }];
  await add('PUT', `/structureddata/${accession}`, { accession, data }, 'penicillin');
  await write('third', accession);
}

/** A whole result that the service makes and keeps. */
export async function keptExport(api: RecordedApi): Promise<void> {
  const ordered = await api.send('POST', '/samples/exports?format=ndjson', {});
  expect([200, 201, 202], ordered.text).toContain(ordered.status);
  const { exportId: id } = ordered.json<{ exportId: string }>();
  for (;;) {
    const { state } = (await api.get(`/samples/exports/${id}`)).json<{ state: string }>();
    if (state === 'COMPLETED') break;
    expect(state).toBe('ACTIVE');
    await sleep(20);
  }
  api.promise({ kind: 'export', id });
}
