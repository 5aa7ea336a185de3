/** Keys, key spaces and profiles that cannot be meant: a clear refusal each, and the service serves on. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ERRORS } from '../../../src/registry/errors.js';
import type { Answer } from '../../support/api-caller.js';
import { PROOF } from '../../support/proof.js';
import { type Service, startService } from '../service.js';

const EACH = PROOF ? 10 : 3;

let service: Service;
let token: string;
let foreign: string;
beforeAll(async () => {
  service = await startService();
  token = await service.token('lab');
  const theirs = { name: 'theirs', release: '2020-01-01' };
  const answer = await service.send('POST', '/samples', theirs, { token: await service.token('elsewhere') });
  foreign = answer.json<{ accession: string }>().accession;
});
afterAll(() => service?.stop());

const pick = <T>(choices: readonly T[], at: number): T => choices[at % choices.length] as T;
const SHEET = 'Tube\tSample Name\tRelease Date\nT1\ta\t2024-01-01\n';
const upload = (options: Record<string, string>, text = SHEET, headers = {}) =>
  service.upload(text, { token, options, headers });
const sample = (more: object = {}) => ({ name: 'x', release: '2020-01-01', ...more });
const put = (path: string, body: unknown, headers = {}) => service.send('PUT', path, body, { token, headers });
const NO_SPACES = ['a b', '-x', 'ä', 'a/b', 'x'.repeat(65), '..', '.a', 'a:b', '__proto__', 'a%'];
const NO_CEILINGS = ['-1', '1.5', '1%%', 'x', '%', '1e3', '5 %', '∞', '0x1', '--'];
const NO_KEYS = [
  '%20',
  '%20k',
  'k%20',
  '%00',
  'a%00b',
  'k'.repeat(501),
  '%09',
  `${'%C3%A4'.repeat(501)}`,
  '%0A',
  'k%0D',
];

/** What the refusal says, and what asks for one, another for each number. */
const SORTS: [sort: string, words: RegExp, ask: (at: number) => Promise<Answer>][] = [
  [
    'a key space that is none',
    /keySpace.*(is no name of a key space; write|at most 64)/,
    (at) => upload({ key: 'Tube', keySpace: pick(NO_SPACES, at) }),
  ],
  [
    'a standing sheet that is none',
    /standing.*(is no name of a standing sheet; write|at most 64)/,
    (at) => upload({ key: 'Tube', standing: pick(NO_SPACES, at) }),
  ],
  [
    'a key column that is not there',
    /Line 1: there is no column .*, which the option key names; write one of the headers/,
    (at) =>
      upload({
        key: `${pick(['Barcode', '#', '*', '0', 'null', '[]', 'Tube Tube', 'x'.repeat(200)], at)}${at}`.slice(-200),
      }),
  ],
  [
    'a key column that is there twice',
    /the column .*, which the option key names, is there \d+ times, in columns A and B.*; keep one/,
    (at) => upload({ key: 'tube' }, `Tube\t${'tube\t'.repeat(at + 1)}Sample Name\tRelease Date\n`),
  ],
  [
    'options that contradict each other',
    /(key|onlyCreate|standing)/,
    (at) =>
      upload(
        pick<Record<string, string>>(
          [
            { key: 'Tube', onlyUpdate: 'true', onlyCreate: 'true' },
            { onlyUpdate: 'true' },
            { onlyCreate: 'true' },
            { keySpace: 'a' },
            { standing: 'a' },
            { key: 'Tube', missing: 'report' },
            { key: 'Tube', commit: 'auto' },
            { key: 'Tube', standing: 'a', keySpace: 'b' },
            { key: 'Tube', maxMissing: '1' },
            { key: 'Tube', maxChanges: '1' },
          ],
          at,
        ),
      ),
  ],
  [
    'a ceiling that is none',
    /max(Missing|Changes|Rejected).*(number|share)/,
    (at) =>
      upload({
        key: 'Tube',
        standing: 'a',
        [pick(['maxMissing', 'maxChanges', 'maxRejected'], at)]: pick(NO_CEILINGS, at),
      }),
  ],
  [
    'an Idempotency-Key that is none',
    /Idempotency-Key must be 1 to 255 visible ASCII characters/,
    (at) => upload({}, SHEET, { 'idempotency-key': pick(['é', 'ÿ', 'k'.repeat(256 + at), 'a\tb', `ü${at}`], at) }),
  ],
  [
    'keys for samples as JSON',
    /option key is for sheets.*PUT \/samples\/by-key/,
    (at) =>
      upload(
        { key: pick(['name', 'Sample Name', '/name', 'accession'], at) },
        `{"name":"j${at}","release":"2020-01-01"}\n`,
      ),
  ],
  [
    'an address that holds no key',
    /key.*(1 to 500|500 characters|blank|NUL|control)/i,
    (at) => put(`/samples/by-key/lims/${pick(NO_KEYS, at)}`, sample()),
  ],
  [
    'an address that holds no key space',
    /key space.*letters, digits/,
    (at) =>
      put(
        `/samples/by-key/${encodeURIComponent(
          pick(
            NO_SPACES.filter((text) => text !== '..'),
            at,
          ),
        )}/k`,
        sample(),
      ),
  ],
  [
    'a body that is no sample',
    /./,
    (at) =>
      put(
        '/samples/by-key/lims/bad',
        pick<unknown>(
          [
            null,
            7,
            'x',
            [],
            {},
            sample({ name: '' }),
            sample({ release: 'soon' }),
            sample({ characteristics: 7 }),
            sample({ accession: 'SAMR0' }),
            sample({ accession: foreign }),
          ],
          at,
        ),
      ),
  ],
  [
    'a condition that does not hold',
    /If-Match|If-None-Match|changed/,
    (at) =>
      put(`/samples/by-key/lims/none-${at}`, sample(), { 'if-match': pick(['*', '"x"', 'W/"1"', '', 'x'], at) || '*' }),
  ],
  [
    'a sheet that points at no profile',
    /(no import profile|version \d+ of the import profile)/,
    (at) =>
      upload(
        {},
        `#profile\t${pick(['../x', 'lims', '__proto__', 'constructor', 'x'.repeat(300), 'a b', '%00', 'NULL', "'", '*'], at)}\t${pick(['', '1', '999999999', '-1', 'x'], at)}\n${SHEET}`,
      ),
  ],
  [
    'a profile that is not there',
    /no import profile .*there are: .*terra/,
    (at) =>
      upload({
        profile: pick(
          ['../x', 'lims', '__proto__', 'constructor', 'x'.repeat(100), 'a b', 'toString', 'NULL', "'", '*'],
          at,
        ),
      }),
  ],
  [
    'a name that no profile may have',
    /is no name for an import profile; write|ships with the product; choose another/,
    (at) =>
      put(
        `/profiles/${encodeURIComponent(pick(['A', 'a b', '-a', 'ä', 'a/b', 'x'.repeat(64), '.a', 'none', 'ena', 'a\0'], at))}`,
        { profile: 1, title: 'x', columns: [{ header: 'Tube', as: 'name' }] },
      ),
  ],
  [
    'a version that no profile has',
    /version must be a whole number from 1 on|no import profile .* in version \d+; GET \/profiles/,
    (at) =>
      service.get(
        `/profiles/ena?version=${pick(['0', '-1', '1.5', 'x', '', '9999999999', '99999999999999999999', '1e3', '2', '999999999'], at)}`,
        { token },
      ),
  ],
];

describe('a request', () => {
  it.each(SORTS)('with %s is refused, saying where and what to do', async (_, words, ask) => {
    for (let at = 0; at < EACH; at++) {
      const answer = await ask(at);
      expect(answer.status, `number ${at}: ${answer.text}`).toBeGreaterThanOrEqual(400);
      expect(answer.status, `number ${at}: ${answer.text}`).toBeLessThan(500);
      const { code, detail, errors } = answer.json<{ code: string; detail: string; errors?: unknown }>();
      expect(Object.keys(ERRORS)).toContain(code);
      expect(`${detail} ${JSON.stringify(errors ?? '')}`, `number ${at}`).toMatch(words);
      expect(detail.length).toBeGreaterThan(20);
      expect(detail.length).toBeLessThan(700);
    }
  });
});

describe('rows whose keys cannot be', () => {
  const SORTS_OF_ROWS: [sort: string, code: string, keys: (at: number) => string[], rejected: number][] = [
    [
      'a key twice',
      'key.repeated',
      (at) => [`twice ${at}`, pick([`twice ${at}`, ` twice ${at}`, `twice ${at} `], at)],
      1,
    ],
    ['no key', 'key.missing', (at) => [pick(['', ' ', '  ', '\u00a0'], at), `beside ${at}`], 1],
    ['a key that is too long', 'key.too-long', (at) => ['k'.repeat(501 + at), `by ${at}`], 1],
    ['NUL', 'cell.control-character', (at) => [`n\0${at}`, `next ${at}`], 1],
  ];

  it.each(SORTS_OF_ROWS)('%s: that row alone is rejected, by its line', async (_, code, keys, rejected) => {
    for (let at = 0; at < EACH; at++) {
      const rows = keys(at).map((key, row) => `${key}\t${code} ${at} ${row}\t2024-01-01\n`);
      const { id, status } = await service.uploadAndSettle(`Tube\tSample Name\tRelease Date\n${rows.join('')}`, {
        token,
        options: { key: 'Tube', keySpace: 'rows' },
      });
      expect(status.counts, JSON.stringify(status.issues)).toMatchObject({ created: 2 - rejected, rejected });
      const errors = (await service.get(`/submissions/${id}/errors?format=json`, { token })).text;
      expect(errors).toContain(`"${code}"`);
      expect(errors).toMatch(/"line":[23]/);
    }
  });
});
