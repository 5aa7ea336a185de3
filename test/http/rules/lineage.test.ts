/** `GET /samples/{accession}/lineage`: what is asked for, and that the links keep it. */
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { lineageRoutes } from '../../../src/http/routes/lineage.js';
import type { LineageDocument } from '../../../src/registry/lineage/lineage.js';
import { DIRECTIONS } from '../../../src/registry/lineage/lineage-walk.js';
import { DESCENT_TYPES } from '../../../src/registry/samples/relationship-types.js';
import { type Ask, routed } from './routed.js';

let ask: Ask;
let end: () => void;
let asked: unknown[][] = [];
beforeAll(async () => {
  const graph = async (...given: unknown[]): Promise<LineageDocument> => {
    asked.push(given);
    return { accession: 'SAMR1', nodes: [{ accession: 'SAMR1' }, { accession: 'SAMR2' }], edges: [] } as never;
  };
  ({ ask, end } = await routed((context) => lineageRoutes(context, { graph } as never)));
});
afterAll(() => end());
beforeEach(() => {
  asked = [];
});

it('asks for what the address says, and for the usual where it says nothing', async () => {
  const usual = { accession: 'SAMR1', types: [...DESCENT_TYPES], directions: DIRECTIONS, depth: 10, nodes: 500 };
  for (const query of ['', '?direction=both', '?direction=&types=,&depth='])
    expect((await ask(`/SAMR1/lineage${query}`)).status).toBe(200);
  expect(asked).toEqual(Array(3).fill([usual, undefined]));
  for (const direction of DIRECTIONS) {
    await ask(`/SAMR1/lineage?direction=${direction}&types=a,b&types=c&depth=100&nodes=1000`, { as: ['read'] });
    expect(asked.at(-1)).toEqual([
      { ...usual, types: ['a', 'b', 'c'], directions: [direction], depth: 100, nodes: 1000 },
      expect.objectContaining({ account: 'lab-7' }),
    ]);
  }
});

it.each([
  ['direction=up', `direction=up must be one of ${DIRECTIONS.join(', ')}, both.`],
  [`direction=${'x'.repeat(50)}`, `direction=${'x'.repeat(40)} must be one of ${DIRECTIONS.join(', ')}, both.`],
  ['depth=101', 'depth=101 must be a whole number from 1 to 100.'],
  ['depth=0', 'depth=0 must be a whole number from 1 to 100.'],
  ['nodes=1001', 'nodes=1001 must be a whole number from 1 to 1000.'],
  ['nodes=0', 'nodes=0 must be a whole number from 1 to 1000.'],
])('is refused where the address cannot be meant: %s', async (query, detail) => {
  expect((await ask(`/SAMR1/lineage?${query}`)).body).toMatchObject({ code: 'request.invalid', detail });
  expect(asked).toEqual([]);
});

it('leads to each sample and its own lineage, asked for alike', async () => {
  const linksOf = (accession: string, query: string) => ({
    self: { href: `http://x/samples/${accession}` },
    lineage: { href: `http://x/samples/${accession}/lineage${query}` },
  });
  for (const [query, kept] of [
    ['', ''],
    ['?other=1&depth=', ''],
    ['?types=a,b&other=1&direction=both&depth=2&nodes=3', '?types=a%2Cb&direction=both&depth=2&nodes=3'],
  ] as const) {
    const { body, headers } = await ask(`/SAMR1/lineage${query}`);
    expect(headers.get('content-type')).toContain('application/hal+json');
    expect(body).toEqual({
      accession: 'SAMR1',
      edges: [],
      nodes: ['SAMR1', 'SAMR2'].map((accession) => ({ accession, _links: linksOf(accession, kept) })),
      _links: { self: { href: `http://x/samples/SAMR1/lineage${kept}` }, sample: { href: 'http://x/samples/SAMR1' } },
    });
  }
});
