/** Structures that grow with requests: all are listed with their bound (docs/limits.md), and the maps keep to it. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { BoundedMap } from '../../src/limits/bounded-map.js';
import { document, tableRows } from '../docs/section.js';
import { ROOT } from '../support/output.js';

/** Something empty at first that outlives a request: a member of a class, or of a module. */
const GROWING =
  /^(?:(?:const|let)| {2}(?:private |readonly |static |#)+)\s*(\w+)(?:: [^=\n]+)? = new (?:Map|WeakMap|Set|BoundedMap|RecentMap|NameMemory)(?:<.*>)?\((?:\)|[A-Z]|;|room)|^ {2}private (?:readonly )?(waiting): .* = \[\]|^ +(?:this\.|const )(\w+) = new BoundedMap|^ {2}private (known): Promise<Map/gm;

/** Made for one request, one file or one row and gone with it, filled once at the start, or the map that others are made of. */
const OTHERWISE = [
  'src/limits/bounded-map.ts entries',
  'src/registry/search/recent-map.ts old',
  'src/registry/search/recent-map.ts young',
  'src/limits/rate-limits.ts limiters',
  'src/exports/date-texts.ts forms',
  'src/exports/document-forms.ts forms',
  'src/registry/search/id-set.ts pages',
  'src/store/name-memory.ts known',
  'src/store/columns/entries.ts known',
  'src/store/columns/staged.ts blocks',
  'src/store/columns/staged.ts keys',
  'src/store/sqlite/search/search-segments.ts spans',
  'src/store/sqlite/stored-rows.ts present',
  'src/store/sqlite/stored-rows.ts asRows',
  'src/registry/body.ts byPath',
  'src/registry/curations/curation-rules.ts items',
  'src/registry/curations/curation-rules.ts places',
  'src/queue/bullmq.ts bells',
  'src/queue/bullmq.ts consumers',
  'src/queue/bullmq-consumer.ts running',
  'src/queue/embedded.ts links',
  // Of an object each, and gone with it.
  'src/exports/document-forms.ts terms',
  'src/http/openapi/openapi.ts converted',
  'src/registry/samples/packed-difference.ts TELLING',
  'src/registry/samples/packed-sample.ts TEXTS',
  'src/store/name-memory.ts spelled',
];

/** Rooms whose objects live as long as the service; those of sheets live as long as a file is read. */
const ROOMS = ['auth', 'audit', 'exports', 'http', 'limits', 'queue', 'registry', 'store', 'webhooks'];

function growing(): string[] {
  return ROOMS.flatMap((room) =>
    readdirSync(join(ROOT, 'src', room), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .flatMap((name) => {
        const file = `src/${room}/${name}`;
        const text = readFileSync(join(ROOT, file), 'utf8');
        return [...text.matchAll(GROWING)].map((found) => `${file} ${found.slice(1).find((one) => one !== undefined)}`);
      }),
  );
}

describe('structures that grow with requests', () => {
  it('are listed with their bound, all of them', () => {
    const section = document('docs/limits.md').split('<!-- structures -->')[1]?.split('<!-- /structures -->')[0] ?? '';
    const listed = tableRows(section)
      .map(([structure = '']) => structure.replaceAll('`', ''))
      .filter((structure) => structure.startsWith('src/'));
    const found = growing().filter((structure) => !OTHERWISE.includes(structure));
    expect(found.sort()).toEqual(listed.sort());
    expect(listed.length).toBeGreaterThan(20);
  });
});

describe('a bounded map', () => {
  it('holds what it may hold and lets the oldest go', () => {
    const map = new BoundedMap<string, number>(1_000);
    for (let n = 0; n < 10_000; n += 1) map.set(`key ${n}`, n);
    expect(map.size).toBe(1_000);
    expect([map.get('key 8999'), map.get('key 9000'), map.get('key 9999')]).toEqual([undefined, 9000, 9999]);
    map.set('key 9000', 1);
    map.set('one more', 1);
    expect([map.get('key 9000'), map.has('key 9001')]).toEqual([1, false]);
  });

  it('lets go of what is older than it may be, when it is asked for and when others come', () => {
    let now = 0;
    const map = new BoundedMap<number, string>(1_000, { maxAgeMs: 100, now: () => now });
    for (let n = 0; n < 500; n += 1) map.set(n, 'x');
    now = 99;
    expect(map.get(1)).toBe('x');
    now = 100;
    expect(map.get(1)).toBeUndefined();
    map.set(-1, 'y');
    expect(map.size).toBe(1);
  });
});
