/** Import profiles that say by which column, and in which key space, rows are known again. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Service, startService } from '../service.js';

let service: Service;
let token: string;
beforeAll(async () => {
  service = await startService();
  token = await service.token('lab');
});
afterAll(() => service.stop());

const COLUMNS = [
  { header: 'Tube', as: 'name' },
  { header: 'Barcode', as: 'characteristic' },
  { header: 'Public', as: 'release' },
];
const keep = (name: string, key: object) =>
  service.send('PUT', `/profiles/${name}`, { profile: 1, title: name, columns: COLUMNS, key }, { token });
const sheet = (...rows: string[]) =>
  ['Tube\tBarcode\tPublic', ...rows.map((row) => `${row}\t2020-01-01`), ''].join('\n');
const upload = async (text: string, options: Record<string, string> = {}) =>
  (await service.uploadAndSettle(text, { token, options: { profile: 'freezer', ...options } })).status;
const keyed = async (space: string, key: string) => {
  const answer = await service.get(`/samples/by-key/${space}/${key}`, { token });
  return answer.status === 200 ? answer.json<{ name: string }>().name : answer.status;
};

it('knows the rows of a later upload that says no key, in the key space of the profile', async () => {
  expect((await keep('freezer', { column: 'Barcode', space: 'lims' })).status).toBe(201);
  expect((await upload(sheet('one\tB-1', 'two\tB-2'))).counts).toMatchObject({ created: 2 });
  expect(await keyed('lims', 'B-1')).toBe('one');
  const second = await upload(sheet('renamed\tB-1', 'two\tB-2', 'three\tB-3'));
  expect(second.counts).toMatchObject({ created: 1, updated: 1, unchanged: 1 });
  expect(second).toMatchObject({ options: { key: 'Barcode', keySpace: 'lims' } });
  expect(await keyed('lims', 'B-1')).toBe('renamed');
});

it('is held to what the upload says of its key', async () => {
  expect((await upload(sheet('four\tB-4'), { key: 'Sample Name', keySpace: 'names' })).counts.created).toBe(1);
  expect(await keyed('names', 'four')).toBe('four');
  expect(await keyed('lims', 'B-4')).toBe(404);
});

it('is refused where the sheet lacks the column, or the key space has no such name', async () => {
  await keep('freezer', { column: 'Position' });
  const refused = await service.upload(sheet('five\tB-5'), { token, options: { profile: 'freezer' } });
  expect([refused.status, refused.text]).toEqual([422, expect.stringContaining('Position')]);
  const bad = await keep('freezer', { column: 'Barcode', space: 'no space' });
  expect([bad.status, bad.text]).toEqual([400, expect.stringContaining('/key/space')]);
});
