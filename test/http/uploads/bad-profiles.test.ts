/** Import profiles that cannot be: a clear refusal each, whatever is wrong, and nothing kept. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Service, startService } from '../service.js';

let service: Service;
let token: string;
beforeAll(async () => {
  service = await startService();
  token = await service.token('lab');
});
afterAll(() => service?.stop());

type Json = Record<string, unknown>;
const column = (header: unknown, as: unknown = 'characteristic', more: Json = {}): Json => ({ header, as, ...more });
const profile = (columns: unknown, more: Json = {}): Json => ({ profile: 1, title: 'Bad', columns, ...more });
const NAME = column('Tube', 'name');

/** A JSON pointer or the body, and what is wrong there or wanted instead. */
const PLACED =
  /^(\/(columns|joinNames|fixed|profile|recognise|release)[\w/]*|The body): .*(must|is |has |joins|expected|Unrecognized key: ")|The text "a.*b" holds a NUL/;

/** Each makes bad profiles of one sort, another for each number. */
const SORTS: [sort: string, make: (at: number) => unknown][] = [
  ['a column twice', (at) => profile([NAME, column(`h${at}`), column(['h', 'H_', ' h'][at % 3] + String(at))])],
  ['no name column', (at) => profile([column(`h${at}`), column('x')])],
  ['two name columns', (at) => profile([NAME, column(`h${at}`, 'name')])],
  ['one joined name', (at) => profile([NAME, column(`h${at}`)], { joinNames: '-' })],
  [
    'a circle of units and terms',
    (at) =>
      profile([
        NAME,
        ...Array.from({ length: at + 1 }, (_, n) =>
          column(`u${n}`, at % 2 ? 'unit' : 'term', { of: `u${(n + 1) % (at + 1)}` }),
        ),
      ]),
  ],
  ['a unit of nothing', (at) => profile([NAME, column('u', 'unit', { of: `nothing ${at}` })])],
  [
    'a fixed value twice',
    (at) => profile([NAME], { fixed: [1, 2].map((value) => ({ characteristic: `c${at}`, value: `${value}` })) }),
  ],
  [
    'a fixed value of a column',
    (at) => profile([NAME, column(`c${at}`)], { fixed: [{ characteristic: `c${at}`, value: 'x' }] }),
  ],
  [
    'a fixed value of a joined name',
    (at) =>
      profile([NAME, column('d', 'name', { characteristic: `c${at}` })], {
        joinNames: '-',
        fixed: [{ characteristic: `c${at}`, value: 'x' }],
      }),
  ],
  ['a characteristic of a name alone', (at) => profile([column('d', 'name', { characteristic: `c${at}` })])],
  [
    'a form of dates',
    (at) =>
      profile([NAME, column('d', 'characteristic', { date: ['DD', 'YY-MM-DD', 'YYYY-MM', 'x', 'YYYY(DD'][at % 5] })]),
  ],
  [
    'a release',
    (at) =>
      profile([NAME], { release: ['2031-02-31', '31.01.2031', 'tomorrow', '', at, '2031-01-01T00:00:00Z'][at % 6] }),
  ],
  [
    'a wrong type',
    (at) => profile([NAME, [null, 7, 'x', [], true, { header: at }, column(7), column('h', at)][at % 8]]),
  ],
  ['no list of columns', (at) => profile([null, 7, 'x', {}, true, []][at % 6])],
  ['no object', (at) => [null, 7, 'x', [], true, at][at % 6]],
  [
    'an unknown member',
    (at) => profile([NAME], { [['fixd', '__proto', 'constructor', 'version'][at % 4] as string]: at }),
  ],
  ['another version of the form', (at) => ({ ...profile([NAME]), profile: at + 2 })],
  ['too many columns', (at) => profile([NAME, ...Array.from({ length: 1_000 + at }, (_, n) => column(`h${n}`))])],
  ['a header that is too long', (at) => profile([NAME, column('x'.repeat(201 + at))])],
  [
    'a document that is too long',
    (at) => profile([NAME, ...Array.from({ length: 500 + at }, (_, n) => column(`${n} ${'x'.repeat(150)}`))]),
  ],
  ['control characters', (at) => profile([NAME, column(`a${['\t', '\n', '\r', '\0'][at % 4]}b`)])],
  [
    'a value twice',
    (at) => profile([NAME, column('s', 'characteristic', { values: { [`M${at}`]: 'a', [`m${at}`]: 'b' } })]),
  ],
  [
    'recognition by nothing',
    (at) => profile([NAME], { recognise: [[], [{}], [{ anyOf: [] }], [{ anyOf: ['x'], with: {} }]][at % 4] }),
  ],
];

describe('an import profile', () => {
  it.each(SORTS)('with %s is refused, saying where', async (_, make) => {
    for (let at = 0; at < 10; at++) {
      const answer = await service.send('PUT', '/profiles/bad', make(at), { token });
      const { code, detail } = answer.json<{ code: string; detail: string }>();
      expect([answer.status, code], JSON.stringify(make(at)).slice(0, 300)).toEqual([400, 'request.invalid']);
      expect(detail).toMatch(PLACED);
    }
    expect((await service.get('/profiles/bad', { token })).status).toBe(404);
  });

  it('there are 200 of them', () => expect(SORTS.length * 10).toBeGreaterThanOrEqual(200));

  it('with names of members that objects have is kept and read as they are', async () => {
    const values = JSON.parse('{"__proto__": "x", "constructor": "y", "toString": "z"}') as Json;
    const odd = profile([NAME, column('__proto__', 'characteristic', { values }), column('constructor')]);
    expect((await service.send('PUT', '/profiles/odd', odd, { token })).status).toBe(201);
    const sheet = 'Tube\t__proto__\tconstructor\nodd-1\ttoString\tvalueOf\n';
    const answer = await service.upload(sheet, { token, options: { releaseDate: '2031-01-01' } });
    expect(answer.status).toBe(201);
    expect(answer.text).toContain('import profile odd, version 1');
  });
});
