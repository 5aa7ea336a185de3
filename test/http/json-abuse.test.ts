/** Whatever is sent as JSON, the answer is never a failure of ours, and nothing is stored that was not answered 2xx. */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fixture, withoutFixtures } from '../support/fixtures.js';
import { PROOF } from '../support/proof.js';
import { idOf, registered, sample, sendText, storedSince } from './raw-bodies.js';
import { type Service, startService } from './service.js';
import '../support/seeds.js';

const BODIES = PROOF ? 2_000 : 60;
/** Of each verdict, at least: a sixth of the bodies is good, and of 60 three or fewer are in one run of seventy. */
const LEAST = PROOF ? BODIES / 20 : 1;
/** Strings of which one is sent alone: all in the proof. */
const ONE_OF = PROOF ? 1 : 30;
/** Strings that are sent in one list. */
const LISTED = 100;

let service: Service;
let token: string;
beforeAll(async () => {
  service = await startService();
  token = await service.token('lab-1');
});
afterAll(() => service.stop());

const sendRaw = (method: string, path: string, body: string) => sendText(service, token, method, path, body);
const register = (content: object = {}) => registered(service, token, content);
const storedAfter = (first: number) => storedSince(service, token, first);

const text = fc.oneof(
  { weight: 4, arbitrary: fc.string({ unit: 'grapheme', maxLength: 20 }) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      '',
      ' ',
      '__proto__',
      'constructor',
      'toString',
      '\u0000',
      '\ud800',
      '2020-01-01',
      '21/11/2024',
      'SAMR1',
    ),
  },
);
/** What the members that must be filled hold in a good body. */
const word = fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 12 }).map((value) => `w${value}`);
const anything = fc.oneof(
  { maxDepth: 4 },
  fc.jsonValue({ maxDepth: 3 }),
  text,
  fc.constantFrom(null, -0, 1e308, 0.1, true, [], {}, [[]], [null], { text: null }),
);
const entry = fc.record(
  {
    text,
    ontologyTerms: fc.array(text, { maxLength: 3 }),
    unit: text,
    unitOntologyTerms: fc.array(text, { maxLength: 2 }),
  },
  { requiredKeys: [] },
);
const good = fc.record(
  {
    name: word,
    release: fc.constantFrom('2020-01-01', '2020-01-01T00:00:00Z', '2030-06-01T10:00:00.5+02:00'),
    domain: text,
    taxId: fc.oneof(fc.nat(), fc.nat().map(String)),
    characteristics: fc.dictionary(word, fc.array(entry, { maxLength: 3 }), { maxKeys: 5 }),
    relationships: fc.array(
      fc.record(
        { source: text, type: word, target: word.map((value) => `X${value}`) },
        { requiredKeys: ['type', 'target'] },
      ),
      { maxLength: 3 },
    ),
    externalReferences: fc.array(fc.record({ url: word, duo: fc.array(text) }, { requiredKeys: ['url'] }), {
      maxLength: 3,
    }),
    contact: fc.array(fc.dictionary(word, word, { maxKeys: 3 }), { maxLength: 2 }),
    submissionAccountId: text,
    update: text,
  },
  { requiredKeys: ['name', 'release'] },
);

/** A good body in which one to three members, at any depth, were replaced by anything. */
const spoilt = fc
  .tuple(good, fc.array(fc.tuple(fc.nat(), anything), { minLength: 0, maxLength: 3 }))
  .map(([body, changes]) => {
    const copy = structuredClone(body) as unknown;
    for (const [where, value] of changes) replaceAt(copy, where, value);
    return copy;
  });

function replaceAt(node: unknown, where: number, value: unknown): void {
  const places: [Record<string, unknown>, string][] = [];
  const walk = (at: unknown): void => {
    if (at === null || typeof at !== 'object') return;
    for (const key of Object.keys(at)) {
      places.push([at as Record<string, unknown>, key]);
      walk((at as Record<string, unknown>)[key]);
    }
  };
  walk(node);
  const place = places[where % Math.max(1, places.length)];
  if (place) Object.defineProperty(place[0], place[1], { value, enumerable: true, configurable: true, writable: true });
}

const bodies = fc.oneof(
  { weight: 2, arbitrary: spoilt },
  { weight: 2, arbitrary: good },
  { weight: 2, arbitrary: anything },
);

describe('generated bodies', () => {
  it(`of ${BODIES} none is answered by a failure of ours, and what is stored was answered 201`, async () => {
    const first = idOf(await register());
    const target = await register({ characteristics: { sex: [{ text: 'F' }] } });
    const made = new Set([idOf(target)]);
    const seen = new Map<number, number>();
    const note = (status: number) => seen.set(status, (seen.get(status) ?? 0) + 1);
    const property = fc.asyncProperty(bodies, fc.nat(9), async (body, which) => {
      const [method, path] = routeFor(which, target);
      const sent = JSON.stringify(path === '/samples/accession' ? withoutRelease(body) : body) ?? 'null';
      const answer = await sendRaw(method, path, sent);
      note(answer.status);
      expect(answer.status, `${method} ${path} ${sent} → ${answer.text}`).toBeLessThan(500);
      if (answer.status === 201 && path.startsWith('/samples') && !path.includes('curationlinks')) {
        made.add(idOf(answer.json<{ accession: string }>().accession));
      }
    });
    await fc.assert(property, { numRuns: BODIES, endOnFailure: true });
    expect((await storedAfter(first)).sort((a, b) => a - b)).toEqual([...made].sort((a, b) => a - b));
    // Both kinds of verdict must have been reached, or the generator tests nothing.
    expect(seen.get(201)).toBeGreaterThanOrEqual(LEAST);
    expect(seen.get(422)).toBeGreaterThanOrEqual(LEAST);
  });
});

/** A placeholder takes none: with it every such request would be refused for the same reason. */
function withoutRelease(body: unknown): unknown {
  if (body === null || typeof body !== 'object' || Array.isArray(body)) return body;
  const { release: _, ...rest } = body as Record<string, unknown>;
  return rest;
}

function routeFor(which: number, accession: string): [method: string, path: string] {
  if (which < 5) return ['POST', '/samples'];
  const routes: [string, string][] = [
    ['POST', '/validate'],
    ['POST', '/samples/accession'],
    ['PUT', `/samples/${accession}`],
    ['POST', `/samples/${accession}/curationlinks`],
    ['PUT', `/structureddata/${accession}`],
  ];
  return routes[which - 5] as [string, string];
}

describe.skipIf(withoutFixtures('hostile strings'))('the hostile strings', () => {
  it('round-trip as value and as name, trimmed and otherwise to the byte', async () => {
    const strings = JSON.parse(fixture('torture/D18__blns.json').toString('utf8')) as string[];
    expect(strings.length).toBeGreaterThan(500);
    const isBlank = (string: string) => string.trim() === '';
    for (const string of strings.filter(isBlank)) {
      const answer = await sendRaw('POST', '/samples', JSON.stringify(of(string)));
      expect(answer.status, answer.text).toBe(422);
    }
    const filled = strings.filter((string) => !isBlank(string));
    for (let at = 0; at < filled.length; at += ONE_OF) {
      const string = filled[at] as string;
      const answer = await sendRaw('POST', '/samples', JSON.stringify(of(string)));
      expect(answer.status, `${string} ${answer.text}`).toBe(201);
      const { accession } = answer.json<{ accession: string }>();
      expectKept((await service.get(`/samples/${accession}`)).json(), string);
    }
    for (let from = 0; from < filled.length; from += LISTED) {
      const listed = filled.slice(from, from + LISTED);
      const answer = await sendRaw('POST', '/v2/samples', JSON.stringify(listed.map(of)));
      expect(answer.status, answer.text).toBe(201);
      const accessions = answer.json<{ accession: string }[]>().map(({ accession }) => accession);
      const read = await service.get(`/v2/samples/bulk-fetch?accessions=${accessions.join(',')}`);
      const documents = read.json<Record<string, Document>>();
      expect(Object.keys(documents).sort()).toEqual(accessions.toSorted());
      for (const [at, string] of listed.entries()) expectKept(documents[accessions[at] as string], string);
    }
  });

  interface Document {
    name: string;
    characteristics: Record<string, { text: string; unit?: string }[]>;
  }

  function of(string: string): object {
    const characteristics = Object.fromEntries([
      [string, [{ text: string }]],
      ['plain', [{ text: string, unit: string }]],
    ]);
    return sample({ name: `n${string}`, characteristics });
  }

  function expectKept(read: Document | undefined, string: string): void {
    const trimmed = string.trim();
    expect(read?.name).toBe(`n${string}`.trim());
    expect(Object.keys(read?.characteristics ?? {})).toContain(trimmed);
    expect(read?.characteristics[trimmed]?.[0]?.text).toBe(trimmed);
    expect(read?.characteristics.plain?.[0]).toEqual({ text: trimmed, unit: trimmed });
  }
});
