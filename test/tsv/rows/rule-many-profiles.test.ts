/** Each row of a head is compared with each profile: of an account with many of them, beside rows by the thousand. */
import { describe, expect, it } from 'vitest';
import { comparedHeaders } from '../../../src/tsv/header/compared-headers.js';
import type { ImportProfile, KnownProfile, ProfileColumn } from '../../../src/tsv/header/profile.js';
import { fittingProfiles, nearlyRecognised } from '../../../src/tsv/header/recognise.js';
import { Random } from '../../support/random.js';
import { runs } from '../../support/seeds.js';
import { planOf, refusal, table } from '../read-sheet.js';

const profile = (name: string, document: Omit<ImportProfile, 'profile' | 'title'>): KnownProfile => ({
  name,
  rank: 'own',
  version: 1,
  document: { profile: 1, title: name, ...document },
});

const SHEET = table(['Tube', 'organ'], ['t1', 'liver']);
const TUBES = profile('tubes', {
  columns: [
    { header: 'Tube', as: 'name' },
    { header: 'organ', as: 'characteristic' },
  ],
});
const LONG = Array.from({ length: 50 }, (_, nth) =>
  profile(`long ${nth}`, {
    columns: Array.from({ length: 1_000 }, (_, at): ProfileColumn => ({ header: `h${nth} ${at}`, as: 'name' })),
  }),
);
const remarks = (rows: number, text = '# as exported'): string => `${text}\n`.repeat(rows);

describe('many import profiles', () => {
  it('are all known below thousands of remarks', () => {
    const plan = planOf(remarks(9_990) + SHEET, { profiles: [...LONG, TUBES], releaseDate: 0 });
    expect(plan).toMatchObject({ headerLine: 9_991, profile: { name: 'tubes' } });
  });

  it.each([
    ['rows that each could be a header', { anyOf: ['#x'], above: 'nothing' }, '#x'],
    ['ways to be recognised', { anyOf: ['#y', ...Array.from({ length: 49 }, (_, at) => `y${at}`)] }, '#x\tz'],
  ] as const)('are not compared without an end, but refused by the line: %s', async (_, way, row) => {
    const ways = Array.from({ length: 50 }, (_, nth) =>
      profile(`way ${nth}`, {
        recognise: Array.from({ length: 20 }, () => way),
        columns: [{ header: 'n', as: 'name' }],
      }),
    );
    const { code, message, line } = await refusal(remarks(9_990, row) + SHEET, {
      header: { profiles: [...ways, TUBES], releaseDate: 0 },
    });
    expect(code).toBe('file.header');
    expect(message).toContain(`Line ${line}: there is no header so far`);
    expect(line).toBeLessThan(9_000);
    const chosen = planOf(remarks(9_990, row) + SHEET, {
      profiles: [...ways, TUBES],
      profile: 'tubes',
      releaseDate: 0,
    });
    expect(chosen.headerLine).toBe(9_991);
  });

  it('are found by their columns as if each were compared whole', () => {
    const random = new Random(31);
    const headers = ['a', 'B', 'b ', 'c', 'd_e', 'de', 'Sample Identifier', 'Release Date', 'error line', ''];
    const rowOf = (): string[] => Array.from({ length: 1 + random.below(8) }, () => random.pick(headers));
    const columnsOf = (): ProfileColumn[] => {
      const columns = rowOf().map(
        (header): ProfileColumn => ({
          header: header === '' ? 'z' : header,
          as: 'characteristic',
          ...(random.chance(0.2) ? { nth: 1 + random.below(2) } : {}),
          ...(random.chance(0.3) ? { optional: true } : {}),
        }),
      );
      return columns;
    };
    const rounds = runs(6_000);
    let near = 0;
    let whole = 0;
    for (let round = 0; round < rounds; round++) {
      const known = Array.from({ length: 3 }, (_, at) => profile(`p${at}`, { columns: columnsOf() }));
      const cells = rowOf();
      const all = known.map((each) => ({ each, ...comparedHeaders(each.document, cells) }));
      const fitting = all.filter(({ missing, further }) => missing.length === 0 && further.length === 0);
      expect(fittingProfiles({ cells, above: [], line: 1 }, known)).toEqual(fitting.map(({ each }) => each));
      const alike = all.map(
        ({ missing, further, shared }) => shared / Math.max(1, shared + missing.length + further.length),
      );
      const best = Math.max(...alike);
      const nearest = nearlyRecognised({ cells, line: 1 }, known);
      expect(nearest?.profile).toEqual(best < 0.6 ? undefined : known[alike.lastIndexOf(best)]);
      near += best >= 0.6 ? 1 : 0;
      whole += fitting.length;
    }
    expect(near).toBeGreaterThan(rounds / 10);
    expect(whole).toBeGreaterThan(rounds / 100);
  });
});
