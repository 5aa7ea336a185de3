/**
 * A file that two programs save at once, an hourly export and that of the hour before, say.
 *
 * @module-tag slow
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { saveStream } from '../../src/client/save.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'saved-at-once-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const BLOCK = 1000;
const bytesIn = (): number => readdirSync(folder).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);

describe('a file that two programs save at once', () => {
  it.each([
    ['began', [0, 1]],
    ['did not begin', [1, 0]],
  ] as const)(
    'is that of one of them, whole, when the first to end is the one that %s first',
    async (_which, order) => {
      const path = join(folder, 'export.tsv');
      const sources = [new PassThrough(), new PassThrough()] as const;
      const saved: Promise<void>[] = [];
      for (const [at, letter] of ['A', 'B'].entries()) {
        const source = sources[at] as PassThrough;
        saved.push(saveStream(source, path, 'the service'));
        source.write(letter.repeat(BLOCK));
        await expect.poll(bytesIn).toBe((at + 1) * BLOCK);
      }
      for (const at of order) {
        const letter = 'AB'[at] as string;
        sources[at].end(letter.repeat(BLOCK));
        await saved[at];
        expect(readFileSync(path, 'utf8')).toBe(letter.repeat(2 * BLOCK));
      }
      expect(readdirSync(folder)).toEqual(['export.tsv']);
    },
  );

  it('takes away what programs that were killed have left of it for a day, and nothing else', async () => {
    const path = join(folder, 'export.tsv');
    const left = (name: string, hours: number): string => {
      writeFileSync(join(folder, name), 'half');
      const then = new Date(Date.now() - hours * 3600_000);
      utimesSync(join(folder, name), then, then);
      return name;
    };
    left('export.tsv.0123abcd.part', 25);
    left('export.tsv.89abcdef.part', 500);
    const stay = [
      left('export.tsv.0123abce.part', 23),
      left('export.tsv.part', 25),
      left('export.tsv.old.part', 25),
      left('export.tsv.0123abcd.part.gz', 25),
      left('other.tsv.0123abcd.part', 25),
    ];
    const source = new PassThrough();
    source.end('whole');
    await saveStream(source, path, 'the service');
    expect(readdirSync(folder).sort()).toEqual(['export.tsv', ...stay].sort());
  });

  it('stays as it was when one of them breaks', async () => {
    const path = join(folder, 'export.tsv');
    const [whole, broken] = [new PassThrough(), new PassThrough()];
    const saved = [saveStream(whole, path, 'the service'), saveStream(broken, path, 'the service')] as const;
    whole.write('A'.repeat(BLOCK));
    broken.write('B'.repeat(BLOCK));
    await expect.poll(bytesIn).toBe(2 * BLOCK);
    const failed = expect(saved[1]).rejects.toThrow();
    broken.destroy(new Error('The connection was cut.'));
    await failed;
    whole.end();
    await saved[0];
    expect(readFileSync(path, 'utf8')).toBe('A'.repeat(BLOCK));
    expect(readdirSync(folder)).toEqual(['export.tsv']);
  });
});
