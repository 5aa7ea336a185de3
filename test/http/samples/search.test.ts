/** What was written is found, by those who may read it, and a walk is steady while others write. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Service, startService } from '../service.js';

interface Page {
  _embedded?: { samples: { accession: string; name: string }[] };
  _links: Record<string, { href: string; templated?: boolean }>;
  page?: { size: number; totalElements: number; totalPages: number; number: number };
}

let service: Service;
let owner: string;
let other: string;
let beta: string;
beforeAll(async () => {
  service = await startService();
  owner = await service.token('lab-1');
  other = await service.token('lab-2');
  await register({
    name: 'alpha liver',
    characteristics: { organism: [{ text: 'Homo sapiens' }], tissue: [{ text: 'liver' }] },
  });
  beta = await register({
    name: 'beta kidney',
    characteristics: { organism: [{ text: 'Mus musculus' }], tissue: [{ text: 'kidney' }] },
  });
  await register({
    name: 'gamma liver',
    release: '2023-06-15',
    characteristics: { organism: [{ text: 'Mus musculus' }] },
  });
  await register({
    name: 'delta secret',
    release: '2999-01-01',
    characteristics: { organism: [{ text: 'Homo sapiens' }] },
  });
  await register({ name: 'epsilon', relationships: [{ type: 'derived from', target: 'SAMEA77' }] }, other);
  await service.send('POST', '/samples', { name: 'zeta', release: '2020-01-01' });
  await indexed();
});
afterAll(() => service.stop());

/** Until everything written is in the index. */
async function indexed(): Promise<void> {
  while ((await service.store.indexState()).lag > 0) await sleep(20);
}

async function register(content: object, token = owner): Promise<string> {
  const answer = await service.send('POST', '/samples', { release: '2020-01-01', ...content }, { token });
  expect(answer.status, answer.text).toBe(201);
  return answer.json<{ accession: string }>().accession;
}
const list = async (query: string, token: string | null = owner): Promise<Page> => {
  const answer = await service.get(`/samples${query}`, { token });
  expect(answer.status, answer.text).toBe(200);
  return answer.json<Page>();
};
const names = async (query: string, token: string | null = owner): Promise<string[]> =>
  ((await list(query, token))._embedded?.samples ?? []).map(({ name }) => name.split(' ')[0] as string);
const filter = (...filters: string[]): string =>
  `?${filters.map((one) => `filter=${encodeURIComponent(one)}`).join('&')}`;

describe('the list', () => {
  it('is newest first and shows private samples to those who may read them only', async () => {
    expect(await names('', owner)).toEqual(['zeta', 'epsilon', 'delta', 'gamma', 'beta', 'alpha']);
    expect(await names('', null)).toEqual(['zeta', 'epsilon', 'gamma', 'beta', 'alpha']);
    expect(await names('', other)).toEqual(['zeta', 'epsilon', 'gamma', 'beta', 'alpha']);
    expect(await names('', service.adminToken)).toContain('delta');
    expect(await names('?text=secret', null)).toEqual([]);
  });

  it('counts pages when a page is asked for', async () => {
    const { page, _links } = await list('?page=1&size=2', null);
    expect(page).toEqual({ size: 2, totalElements: 5, totalPages: 3, number: 1 });
    expect(_links.next?.href).toBe(`${service.url}/samples?page=2&size=2`);
    expect(_links.sample).toEqual({ href: `${service.url}/samples/{accession}`, templated: true });
    expect(await list('?page=9&size=2', null)).not.toHaveProperty('_embedded');
  });
});

describe('a deep page', () => {
  it.each(['page=500&size=20', 'page=4000', 'page=50&size=200', 'page=1000000&size=1'])(
    '?%s is refused with the way to go on',
    async (query) => {
      const answer = await service.get(`/samples?${query}`, { token: null });
      expect([answer.status, answer.json<{ code: string }>().code]).toEqual([400, 'request.invalid']);
      expect(answer.json<{ detail: string }>().detail).toContain('next');
    },
  );

  it('up to the bound is a page as any other', async () => {
    expect((await list('?page=499&size=20', null)).page).toMatchObject({ number: 499, totalElements: 5 });
  });
});

describe('text and filters', () => {
  it.each([
    ['?text=liver', ['gamma', 'alpha']],
    ['?text=LIVER%20alpha', ['alpha']],
    ['?text=sapiens', ['delta', 'alpha']],
    [filter('name:beta kidney'), ['beta']],
    [filter('attr:tissue'), ['beta', 'alpha']],
    [filter('attr:organism:Mus musculus'), ['gamma', 'beta']],
    [filter('attr:organism:Mus musculus', 'attr:tissue:kidney'), ['beta']],
    [filter('dt:release:from=2023-01-01..until=2023-12-31'), ['gamma']],
    [filter('dt:release:until=2023-06-15'), ['zeta', 'epsilon', 'gamma', 'beta', 'alpha']],
    [filter('rel:derived from'), ['epsilon']],
    [filter('rel:DERIVED_FROM:SAMEA77'), ['epsilon']],
    [filter('rel:derived from:SAMEA78'), []],
    [filter('account:lab-2'), ['epsilon']],
    [filter('account:nobody'), []],
    [`?text=liver&${filter('attr:organism:Homo sapiens').slice(1)}`, ['alpha']],
  ])('%s finds the right ones', async (query, expected) => {
    expect(await names(query)).toEqual(expected);
  });

  it.each([
    'filter=unknown:x',
    'filter=attr:',
    'filter=dt:release:yesterday',
    'filter=dt:birth:from=2020-01-01',
    'filter=x',
    'cursor=%21',
  ])('?%s is refused', async (query) => {
    const answer = await service.get(`/samples?${query}`);
    expect([answer.status, answer.json<{ code: string }>().code]).toEqual([400, 'request.invalid']);
  });

  it('withdrawn samples are found by who asks for them, and by nobody else', async () => {
    const gone = await register({ name: 'withdrawn one' });
    const { _links, ...sample } = (await service.get(`/samples/${gone}`)).json();
    const put = await service.send('PUT', `/samples/${gone}`, { ...sample, status: 'KILLED' });
    expect(put.json()).toMatchObject({ status: 'KILLED' });
    await indexed();
    expect(await names('?text=withdrawn')).toEqual([]);
    expect(await names(`?text=withdrawn&${filter('status:withdrawn').slice(1)}`)).toEqual(['withdrawn']);
    expect(await names(filter('status:withdrawn'))).toEqual(['withdrawn']);
    expect((await names(filter('status:any')))[0]).toBe('withdrawn');
    expect(await names(filter(`acc:${gone}`))).toEqual(['withdrawn']);
    expect(await names(filter('status:any'), other)).not.toContain('withdrawn');
    expect((await service.get(`/samples${filter('status:gone')}`)).status).toBe(400);
  });

  it('acc: finds the one sample, in the spelling of accessions only', async () => {
    expect(await names(filter(`acc:${beta}`))).toEqual(['beta']);
    expect(await names(filter('acc:SAMEA77'))).toEqual([]);
  });

  it('keep their meaning in the links to other pages', async () => {
    const first = await list(`?size=1&text=liver&${filter('attr:organism').slice(1)}`);
    const next = first._links.next?.href.slice(service.url.length + '/samples'.length) ?? '';
    expect(await names(next)).toEqual(['alpha']);
    expect((await list(next))._links).not.toHaveProperty('next');
  });
});

describe('what is written', () => {
  it('is found within two seconds, as it is now', async () => {
    const accession = await register({
      name: 'unheard-of omega',
      characteristics: { marker: [{ text: 'xylophone' }] },
    });
    await expect.poll(() => names('?text=xylophone'), { interval: 50 }).toEqual(['unheard-of']);
    const body = {
      accession,
      name: 'renamed omega',
      release: '2020-01-01',
      characteristics: { marker: [{ text: 'marimba' }] },
    };
    await service.send('PUT', `/samples/${accession}`, body, { token: owner });
    await expect.poll(() => names('?text=marimba'), { interval: 50 }).toEqual(['renamed']);
    await expect.poll(() => names('?text=xylophone'), { interval: 50 }).toEqual([]);
  });

  it('during a walk neither hides nor repeats what was there when it began', async () => {
    const before = new Set<string>();
    for (let at = 0; at < 40; at += 1)
      before.add(await register({ name: `walk ${at}`, characteristics: { walk: [{ text: 'yes' }] } }));
    await indexed();
    const seen: string[] = [];
    let next: string | undefined = `/samples?size=7&${filter('attr:walk:yes').slice(1)}`;
    while (next) {
      const page: Page = (await service.get(next, { token: owner })).json<Page>();
      seen.push(...(page._embedded?.samples ?? []).map(({ accession }) => accession));
      next = page._links.next?.href.slice(service.url.length);
      await register({ name: 'meanwhile', characteristics: { walk: [{ text: 'yes' }] } });
      await service.store.indexNext(100);
    }
    expect(new Set(seen).size).toBe(seen.length);
    expect([...before].filter((accession) => !seen.includes(accession))).toEqual([]);
  });
});
