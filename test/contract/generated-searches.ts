/** Whatever is written, changed and indexed in whatever order, each reader finds what it would by looking at every sample: on any store. */
import { describe, expect, it } from 'vitest';
import { emptyContent } from '../../src/registry/samples/sample.js';
import type { SearchQuery } from '../../src/registry/search/search-store.js';
import { attributeTerm, nameTerm, valueTerm } from '../../src/registry/search/search-terms.js';
import { codeOf } from '../../src/registry/search/term-keys.js';
import type { Store } from '../../src/store/store.js';
import { Random } from '../support/random.js';
import type { OpenStore } from './submission-store.js';

const ROUNDS = 40;
const NUMBERS = codeOf(attributeTerm('n'));
const NOW = 1_700_000_000_000;
const ACCOUNTS = ['ada', 'bo', 'cy'];
const ORGANS = ['liver', 'lung', 'skin'];

interface Sample {
  id: number;
  name: string;
  account: string;
  release: number;
  organ: string;
  n: number;
  hidden: boolean;
}

export function generatedSearchesContract(name: string, open: OpenStore): void {
  describe(`generated searches on ${name}`, () => {
    const find = 'find what looking at every sample finds (%i)';
    const found = async (seed: number) => {
      const random = new Random(seed);
      const store = await open({ prefix: 'SAMR', now: () => NOW });
      const samples: Sample[] = [];
      for (let round = 0; round < ROUNDS; round++) {
        for (let writes = random.below(4); writes >= 0; writes--) await write(store, random, samples);
        // Steps of one, so that there are as many segments as samples, and they are merged in between.
        while (random.chance(0.8)) await store.indexNext(random.pick([1, 1, 3]));
        await check(store, random, samples);
      }
      while ((await store.indexNext(5)).more);
      for (let last = 0; last < 10; last++) await check(store, random, samples);
      await store.close();
    };
    it.each([19])(find, { tags: name === 'sqlite' ? [] : 'slow' }, found);
    it.each([1, 2, 3])(find, { tags: 'slow' }, found);
  });
}

async function write(store: Store, random: Random, samples: Sample[]): Promise<void> {
  const known = samples.length > 5 && random.chance(0.5) ? random.pick(samples) : undefined;
  const release = random.pick([NOW - 5, NOW + 60_000, 0]);
  const organ = random.pick(ORGANS);
  const given = known?.name ?? `s${random.below(40)}`;
  const n = random.below(9);
  const content = {
    ...emptyContent(),
    characteristics: { organ: [{ text: organ }], n: [{ text: String(n) }] },
  };
  const draft = { name: given, release, content };
  if (known) {
    const hidden = random.chance(0.2);
    await store.updateSample(known.id, () => ({
      kind: 'update',
      draft,
      provenance: { author: 'root', via: 'JSON_API' },
      adminStatus: hidden ? 'KILLED' : null,
    }));
    Object.assign(known, { release, organ, n, hidden });
    return;
  }
  const account = random.pick(ACCOUNTS);
  const { id } = await store.createSample({ draft, account, author: account, via: 'JSON_API', placeholder: false });
  samples.push({ id, name: given, account, release, organ, n, hidden: false });
}

async function check(store: Store, random: Random, samples: readonly Sample[]): Promise<void> {
  const organ = random.pick(ORGANS);
  const given = `s${random.below(40)}`;
  const named = random.chance(0.3);
  const reader = random.pick([
    undefined,
    { account: 'ada', admin: false },
    { account: 'bo', admin: false },
    { account: 'root', admin: true },
  ]);
  const accounts = random.chance(0.3) ? [random.pick(ACCOUNTS), 'nobody'] : undefined;
  const withdrawn = random.pick([undefined, undefined, 'too', 'only'] as const);
  const from = random.chance(0.3) ? random.below(12) : undefined;
  const until = random.chance(0.2) ? NOW - 1 : undefined;
  const query: SearchQuery = {
    terms: [
      ...(named ? [[nameTerm(given)]] : []),
      ...(random.chance(0.7) ? [[valueTerm('organ', organ), `w${organ}`]] : []),
    ],
    now: NOW,
    size: 1 + random.below(20),
    ...(reader ? { reader } : {}),
    ...(accounts ? { accounts } : {}),
    ...(withdrawn ? { withdrawn } : {}),
    ...(until === undefined ? {} : { release: { until } }),
    ...(from === undefined ? {} : { ranges: new Map([[NUMBERS, [{ date: false, from, until: from + 1 }]]]) }),
    ...(random.chance(0.2) ? { ids: samples.filter(({ id }) => id % 3 === 0).map(({ id }) => id) } : {}),
  };
  const before = random.chance(0.5) ? 1 + random.below(samples.length + 2) : undefined;
  const meant = samples
    .filter((sample) => {
      const isOpen = !sample.hidden && sample.release <= NOW;
      if (!isOpen && !reader?.admin && reader?.account !== sample.account) return false;
      if (withdrawn !== 'too' && sample.hidden !== (withdrawn === 'only')) return false;
      if (accounts && !accounts.includes(sample.account)) return false;
      if (until !== undefined && sample.release > until) return false;
      if (from !== undefined && (sample.n < from || sample.n > from + 1)) return false;
      if (query.ids && !query.ids.includes(sample.id)) return false;
      if (named && sample.name !== given) return false;
      return query.terms.length === (named ? 1 : 0) || sample.organ === organ;
    })
    .map(({ id }) => id)
    .sort((one, other) => other - one);
  const page = await store.findSamples(query, { page: 0 });
  expect([page.ids, page.total], JSON.stringify(query)).toEqual([meant.slice(0, query.size), meant.length]);
  const behind = await store.findSamples(query, before === undefined ? {} : { before });
  const left = meant.filter((id) => before === undefined || id < before);
  expect(behind.ids, JSON.stringify({ ...query, before })).toEqual(left.slice(0, query.size));
}
