import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as otherWork } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { compilePattern } from '../../src/checklists/linear-pattern.js';
import { openChecklists } from '../../src/checklists/open.js';
import { FIXTURES_DIR, withoutFixtures } from '../support/fixtures.js';
import { processorMs } from '../support/processor-time.js';

/** Texts that make backtracking engines slow, 5 000 characters each. */
const HOSTILE = ['a', '1', '-', ' ', '0.', '1,', 'é', '\n', 'aA1 ', '2020-01-', '/', '@', 'not ']
  .flatMap((part) => [part.repeat(Math.ceil(5000 / part.length)), `${part.repeat(Math.ceil(4999 / part.length))}!`])
  .map((text) => text.slice(0, 5000));

/** Seconds in a catastrophic case, about a millisecond in a linear one; of processor time, which other work does not lengthen. */
const BOUND_MS = 50;

/** The slowest text, each at its best of three: what the engine tidies up beside it is not the pattern's. */
function slowest(test: (text: string) => boolean): number {
  const timed = (text: string): number => processorMs(() => test(text));
  return Math.max(
    ...HOSTILE.map((text) => {
      const first = timed(text);
      return first < BOUND_MS ? first : Math.min(first, timed(text), timed(text));
    }),
  );
}

function patternsOf(node: unknown): string[] {
  if (Array.isArray(node)) return node.flatMap(patternsOf);
  if (typeof node !== 'object' || node === null) return [];
  const { pattern, patternProperties } = node as { pattern?: unknown; patternProperties?: object };
  return [
    ...(typeof pattern === 'string' ? [pattern] : []),
    ...Object.keys(patternProperties ?? {}),
    ...Object.values(node).flatMap(patternsOf),
  ];
}

describe('patterns of checklists', () => {
  it('of the known catastrophic kinds answer 5 000 hostile characters within the bound', () => {
    for (const source of [
      '^(a+)+$',
      '^(a|aa)+$',
      '^(\\w+\\s?)*$',
      '(x+x+)+y',
      '^([a-zA-Z0-9])(([\\-.]|[_]+)?([a-zA-Z0-9]+))*(@){1}$',
    ]) {
      expect(
        slowest((text) => compilePattern(source).test(text)),
        source,
      ).toBeLessThan(BOUND_MS);
    }
  });

  it('that look around or back run on the other engine, which is stopped, and then do not match', () => {
    // Of those that are not stopped, none comes to an end.
    for (const source of ['^(?=(a+)+$)b', '^(?!(a|a)+!)x*(a*)*\\1$'])
      for (const text of HOSTILE)
        expect(compilePattern(source).test(text), `${source} ${text.slice(0, 20)}`).toBe(false);
    const capital = compilePattern('^(?=.*[A-Z])(?!.*x).{3,}$');
    expect(['abC', 'abc', 'Axx'].map((text) => capital.test(text))).toEqual([true, false, false]);
    expect(compilePattern('^(.)\\1$').test('aa')).toBe(true);
  });

  it('that look around match whatever else the processor does meanwhile', async () => {
    const pattern = compilePattern('^(?!.*b)a');
    const text = 'a'.repeat(100_000);
    // Stops this process for longer than the watchdog, nearly always in the middle of a match.
    const others = spawn('sh', [
      '-c',
      `for i in 1 2 3 4 5 6 7 8 9 10; do kill -STOP ${process.pid}; sleep 0.06; kill -CONT ${process.pid}; sleep 0.01; done`,
    ]);
    const ended = once(others, 'exit');
    const verdicts: boolean[] = [];
    for (; others.exitCode === null; await otherWork()) verdicts.push(pattern.test(text));
    expect(await ended).toEqual([0, null]);
    expect(new Set(verdicts)).toEqual(new Set([true]));
  });

  it('mean what they mean in JSON Schema', () => {
    const cases: [string, string, boolean][] = [
      ['^\\d{4}$', '2024', true],
      ['^\\d{4}$', '2024\n', false],
      ['b', 'abc', true],
      ['^\\u00e9\\/\\p{Lu}$', 'é/Ä', true],
      ['^[^\\s]+$', 'a b', false],
      ['^a.c$', 'a\nc', false],
      ['(^x$)|(^not collected$)', 'not collected', true],
    ];
    for (const [source, text, matches] of cases)
      expect(compilePattern(source).test(text), `${source} ${text}`).toBe(matches);
  });

  it('every pattern of every shipped checklist stays under the bound', () => {
    const rules = openChecklists();
    const patterns = new Set(rules.list().flatMap(({ id }) => patternsOf(rules.get(id))));
    expect(patterns.size).toBeGreaterThan(3);
    for (const source of patterns)
      expect(
        slowest((text) => compilePattern(source).test(text)),
        source,
      ).toBeLessThan(BOUND_MS);
  });

  it('every format stays under the bound too', async () => {
    const { default: addFormats } = await import('ajv-formats');
    const { fullFormats } = (await import('ajv-formats/dist/formats.js')) as { fullFormats: Record<string, unknown> };
    expect(addFormats).toBeDefined();
    const { createCompiler } = await import('../../src/checklists/compile.js');
    for (const format of Object.keys(fullFormats)) {
      const schema = { $id: `f-${format}`, properties: { name: { format } } };
      const file = { id: format, names: [], source: 'directory' as const, path: format, schema, raised: [] };
      const verdict = createCompiler([file])(file);
      expect(
        slowest((name) => verdict({ name }).length === 0),
        format,
      ).toBeLessThan(BOUND_MS);
    }
  });
});

describe.skipIf(withoutFixtures('the checklists of the field'))('the checklists of the field', () => {
  const folder = join(FIXTURES_DIR, 'checklists');
  const virus = {
    'geographic location (country and/or sea)': 'Germany',
    'host common name': 'human',
    'host subject id': '#131',
    'host health state': 'diseased',
    'host sex': 'female',
    'host scientific name': 'Homo sapiens',
    'collector name': 'Ann',
    'collecting institution': 'Institute',
    isolate: 'V-1',
  };
  const document = (values: Record<string, string>) => ({
    name: 'S',
    characteristics: Object.fromEntries(Object.entries(values).map(([name, text]) => [name, [{ text }]])),
  });

  it('all load from a folder, the one in the other spelling and the minimal one', async () => {
    const rules = openChecklists(folder);
    rules.compileFolder();
    expect(rules.list().map(({ id }) => id)).toEqual(expect.arrayContaining(['ERC000033', 'biosamples-minimal']));
    expect(await rules.problemsOf(document(virus), 'ERC000033')).toEqual([]);
    expect(await rules.problemsOf(document({ organism: 'Mus' }), 'biosamples-minimal')).toEqual([]);
    expect(
      (await rules.problemsOf(document({ age: '3' }), 'biosamples-minimal')).map(({ dataPath }) => dataPath),
    ).toEqual(['/characteristics/organism']);
  });

  it('an invalid record never passes: each single fault is found at its place', async () => {
    const rules = openChecklists(folder);
    for (const name of Object.keys(virus)) {
      const { [name as keyof typeof virus]: _, ...others } = virus;
      const found = await rules.problemsOf(document(others), 'ERC000033');
      expect(found.map(({ characteristic, code }) => [characteristic, code])).toEqual([[name, 'checklist.missing']]);
    }
    const wrong = await rules.problemsOf(
      document({
        ...virus,
        'host sex': 'Female',
        'geographic location (country and/or sea)': 'Germny',
        'receipt date': '1.2.2024',
      }),
      'ERC000033',
    );
    expect(wrong.map(({ characteristic, suggestion }) => [characteristic, suggestion])).toEqual(
      expect.arrayContaining([
        ['host sex', 'female'],
        ['geographic location (country and/or sea)', 'Germany'],
        // Points part day, month and year wherever dates are written so.
        ['receipt date', '2024-02-01'],
      ]),
    );
    expect(wrong).toHaveLength(3);
  });

  it('their patterns stay under the bound', () => {
    const patterns = readdirSync(folder).flatMap((name) =>
      patternsOf(JSON.parse(readFileSync(join(folder, name), 'utf8'))),
    );
    expect(patterns.length).toBeGreaterThan(3);
    for (const source of patterns)
      expect(
        slowest((text) => compilePattern(source).test(text)),
        source,
      ).toBeLessThan(BOUND_MS);
  });
});
