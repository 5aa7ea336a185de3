import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
// @ts-expect-error A script, without types.
import { folderOf, SUITES, suiteFiles } from '../../scripts/mutant-suites.mjs';
// @ts-expect-error A script, without types.
import { lookAt, reviewedSurvivors } from '../../scripts/surviving-mutants.mjs';
import { ROOT } from '../support/output.js';

interface Survivor {
  file: string;
  /** The whole line, without the blanks around it. */
  code: string;
  mutant: string;
  why: string;
}

const at = (line: number) => ({ start: { line, column: 1 }, end: { line, column: 5 } });
const report = {
  files: {
    'src/a.ts': {
      source: 'if (a) {\n  return 1;\n}\n',
      mutants: [
        { status: 'Killed', replacement: 'true', location: at(1) },
        { status: 'Timeout', replacement: 'false', location: at(1) },
        { status: 'Ignored', replacement: '', location: at(1) },
        { status: 'Survived', replacement: '{\n}', location: at(2) },
        { status: 'NoCoverage', replacement: 'return 2;', location: at(2) },
      ],
    },
  },
};

describe('mutants that survive', () => {
  it('are counted and named, with their line and what it became', () => {
    expect(lookAt(report, [])).toEqual({
      noticed: 2,
      mattering: 4,
      unexplained: [
        { file: 'src/a.ts', line: 2, code: 'return 1;', mutant: '{ }' },
        { file: 'src/a.ts', line: 2, code: 'return 1;', mutant: 'return 2;' },
      ],
    });
  });

  it('count no more once it is written down why nothing notices them: that one, in that line of that file', () => {
    const reviewed = [
      { file: 'src/a.ts', code: 'return 1;', mutant: '{ }' },
      { file: 'src/b.ts', code: 'return 1;', mutant: 'return 2;' },
      { file: 'src/a.ts', code: 'return 3;', mutant: 'return 2;' },
    ];
    expect(lookAt(report, reviewed)).toMatchObject({
      noticed: 2,
      mattering: 3,
      unexplained: [{ mutant: 'return 2;' }],
    });
  });

  it('are written down with a reason, beside code that still stands', () => {
    const survivors: Survivor[] = reviewedSurvivors();
    const stale = survivors.filter(({ file, code, mutant, why }) => {
      if (!existsSync(join(ROOT, file)) || mutant === code) return true;
      const lines = readFileSync(join(ROOT, file), 'utf8').split('\n');
      return why.trim().split(/\s+/).length < 4 || !lines.some((line) => line.trim() === code);
    });
    expect(stale).toEqual([]);
  });

  it('are looked for in every module of the places that must notice them', () => {
    const places = ['src/auth', 'src/registry', 'src/submissions', 'src/tsv', 'src/store'];
    const engines = ['src/store/sqlite/', 'src/store/postgres/'];
    const modules = places.flatMap((place) =>
      readdirSync(join(ROOT, place), { recursive: true, encoding: 'utf8' })
        .filter((name) => name.endsWith('.ts'))
        .map((name) => `${place}/${name}`),
    );
    expect(modules.length).toBeGreaterThan(300);
    const unnamed = modules.filter((path) => !engines.some((engine) => path.startsWith(engine)) && !folderOf(path));
    expect(unnamed).toEqual([]);
  });

  it('are tried by every test that is not slow, however it is written', async () => {
    // @ts-expect-error A script, without types.
    const standIn = await import('../../scripts/mutant-vitest.mjs');
    const end = standIn.begin();
    const body = () => undefined;
    standIn.describe('suite', () => {
      standIn.it('plain', body);
      standIn.it('with options', { timeout: 5 }, body);
      standIn.it('slow', { tags: 'slow' }, body);
      standIn.it.each([1, 2])('each %d', body, 1_000);
      standIn.it.each([3])('each %d, with options', { tags: ['other'] }, body);
      standIn.it.each([4])('each %d, slow', { tags: ['slow'] }, body);
    });
    standIn.describe('slow suite', { tags: ['slow'] }, () => standIn.it('not tried', body));
    expect(end().map(({ name }: { name: string }) => name)).toEqual([
      'suite plain',
      'suite with options',
      'suite each 1 (0)',
      'suite each 2 (1)',
      'suite each 3, with options (0)',
    ]);
    for (const { run } of end()) expect(run()).toBeUndefined();
    expect(() => standIn.it('empty')).toThrow('has no body');
  });

  it('are tried by suites that take from vitest what its stand-in for them has', async () => {
    // @ts-expect-error A script, without types.
    const standIn = Object.keys(await import('../../scripts/mutant-vitest.mjs'));
    const files = new Set<string>(Object.keys(SUITES).flatMap((folder) => suiteFiles(folder, ROOT)));
    expect(files.size).toBeGreaterThan(200);
    const missing = [...files].flatMap((file) =>
      takenFromVitest(readFileSync(join(ROOT, file), 'utf8'))
        .filter((name) => !standIn.includes(name))
        .map((name) => `${file}: ${name}`),
    );
    expect(missing).toEqual([]);
  });
});

/** Without types, which are gone when it runs. */
function takenFromVitest(source: string): string[] {
  const named = /import \{([^}]*)\} from 'vitest'/.exec(source)?.[1] ?? '';
  return named
    .split(',')
    .map((name) => name.trim().split(' as ')[0] as string)
    .filter((name) => name !== '' && !name.startsWith('type '));
}
