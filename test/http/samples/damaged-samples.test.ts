/** A list holds what can be read of it, and names what cannot. */
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import Database from '../../../src/store/sqlite/driver.js';
import { type Service, startService } from '../service.js';

interface Page {
  _embedded?: { samples: { accession: string; name: string }[] };
  _links: { next?: { href: string } };
  damaged?: string[];
}

const SHEET = 'Sample Name\tRelease Date\ntwo\t2020-01-01\nthree\t2020-01-01\n';
let service: Service;
beforeAll(async () => {
  service = await startService();
  const token = await service.token('lab');
  const register = (name: string) =>
    service.send('POST', '/samples', { name, release: '2020-01-01', characteristics: {} }, { token });
  expect((await register('one')).status).toBe(201);
  await service.upload(SHEET, { token });
  expect((await register('four')).status).toBe(201);
  const file = new Database(join(service.folder, 'registry.db'));
  const { changes } = file.prepare('update sample set updated = updated + 1 where id in (2, 3)').run();
  file.close();
  expect(changes).toBe(2);
});
afterAll(() => service.stop());

const names = ({ _embedded }: Page) => _embedded?.samples.map(({ name }) => name);

it('of samples leaves out those of which what is stored was damaged, and names them', async () => {
  const page = (await service.get('/samples')).json<Page>();
  expect([names(page), page.damaged]).toEqual([
    ['four', 'one'],
    ['SAMR3', 'SAMR2'],
  ]);
  await expect(service.store.readSample(3)).rejects.toMatchObject({ code: 'storage.damaged' });
});

it('is walked past them, to its end', async () => {
  const found: unknown[] = [];
  for (let address: string | undefined = '/samples?size=1'; address; ) {
    const page: Page = (await service.get(address)).json<Page>();
    found.push(names(page)?.[0] ?? page.damaged?.[0]);
    address = page._links.next?.href;
  }
  expect(found).toEqual(['four', 'SAMR3', 'SAMR2', 'one']);
});

it('says nothing of damage where there is none', async () => {
  const page = (await service.get('/samples?filter=name:four')).json<Page>();
  expect([names(page), 'damaged' in page]).toEqual([['four'], false]);
});
