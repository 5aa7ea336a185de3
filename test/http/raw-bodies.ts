/** Bodies sent as they stand, and what the registry holds after them. */
import type { Answer } from '../support/api-caller.js';
import type { Service } from './service.js';

export const sendText = (
  service: Service,
  token: string,
  method: string,
  path: string,
  body: string | Uint8Array<ArrayBuffer>,
  headers: Record<string, string> = {},
): Promise<Answer> =>
  service.call(path, { method, token, headers: { 'content-type': 'application/json', ...headers }, body });

export const sample = (content: object = {}) => ({ name: 's', release: '2020-01-01', ...content });
export const idOf = (accession: string): number => Number(accession.slice('SAMR'.length));

export async function registered(service: Service, token: string, content: object = {}): Promise<string> {
  return (await service.send('POST', '/samples', sample(content), { token })).json<{ accession: string }>().accession;
}

/** Numbers of all samples stored after the one with this number. */
export async function storedSince(service: Service, token: string, first: number): Promise<number[]> {
  const last = idOf(await registered(service, token));
  const ids = Array.from({ length: last - first - 1 }, (_, at) => first + 1 + at);
  const records = await Promise.all(ids.map((id) => service.store.readSample(id)));
  return ids.filter((_, at) => records[at] !== undefined);
}
