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
const READERS: SearchQuery['reader'][] = [
  undefined,
  { account: 'ada', admin: false },
  { account: 'bo', admin: false },
  { account: 'root', admin: true },
];

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

/** A search, in the words of what is known of samples. */
interface Asked {
  name: string | undefined;
  organ: string | undefined;
  accounts: string[] | undefined;
  withdrawn: 'too' | 'only' | undefined;
  until: number | undefined;
  /** The first of two numbers that a sample may have. */
  from: number | undefined;
  ids: number[] | undefined;
  reader: SearchQuery['reader'];
  size: number;
}

function drawAsked(random: Random, samples: readonly Sample[]): Asked {
  const organ = random.pick(ORGANS);
  const name = `s${random.below(40)}`;
  return {
    name: random.chance(0.3) ? name : undefined,
    reader: random.pick(READERS),
    accounts: random.chance(0.3) ? [random.pick(ACCOUNTS), 'nobody'] : undefined,
    withdrawn: random.pick([undefined, undefined, 'too', 'only'] as const),
    from: random.chance(0.3) ? random.below(12) : undefined,
    until: random.chance(0.2) ? NOW - 1 : undefined,
    organ: random.chance(0.7) ? organ : undefined,
    size: 1 + random.below(20),
    ids: random.chance(0.2) ? samples.filter(({ id }) => id % 3 === 0).map(({ id }) => id) : undefined,
  };
}

function queryOf({ name, organ, reader, accounts, withdrawn, until, from, ids, size }: Asked): SearchQuery {
  return {
    terms: [
      ...(name === undefined ? [] : [[nameTerm(name)]]),
      ...(organ === undefined ? [] : [[valueTerm('organ', organ), `w${organ}`]]),
    ],
    now: NOW,
    size,
    ...(reader ? { reader } : {}),
    ...(accounts ? { accounts } : {}),
    ...(withdrawn ? { withdrawn } : {}),
    ...(until === undefined ? {} : { release: { until } }),
    ...(from === undefined ? {} : { ranges: new Map([[NUMBERS, [{ date: false, from, until: from + 1 }]]]) }),
    ...(ids ? { ids } : {}),
  };
}

/** What the search means of one sample, each of its conditions looked at by itself. */
function isMeant(sample: Sample, { name, organ, reader, accounts, withdrawn, until, from, ids }: Asked): boolean {
  const isOpen = !sample.hidden && sample.release <= NOW;
  return [
    isOpen || reader?.admin || reader?.account === sample.account,
    withdrawn === 'too' || sample.hidden === (withdrawn === 'only'),
    accounts?.includes(sample.account) ?? true,
    until === undefined || sample.release <= until,
    from === undefined || (sample.n >= from && sample.n <= from + 1),
    ids?.includes(sample.id) ?? true,
    name === undefined || sample.name === name,
    organ === undefined || sample.organ === organ,
  ].every(Boolean);
}

async function check(store: Store, random: Random, samples: readonly Sample[]): Promise<void> {
  const asked = drawAsked(random, samples);
  const query = queryOf(asked);
  const before = random.chance(0.5) ? 1 + random.below(samples.length + 2) : undefined;
  const meant = samples
    .filter((sample) => isMeant(sample, asked))
    .map(({ id }) => id)
    .sort((one, other) => other - one);
  const page = await store.findSamples(query, { page: 0 });
  expect([page.ids, page.total], JSON.stringify(query)).toEqual([meant.slice(0, query.size), meant.length]);
  const behind = await store.findSamples(query, before === undefined ? {} : { before });
  const left = meant.filter((id) => before === undefined || id < before);
  expect(behind.ids, JSON.stringify({ ...query, before })).toEqual(left.slice(0, query.size));
}
