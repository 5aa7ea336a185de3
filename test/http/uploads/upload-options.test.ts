/** Options of an upload, from query and form: which value counts, and which cannot be taken. */
import { describe, expect, it } from 'vitest';
import { optionSchema, readUploadOptions } from '../../../src/http/uploads/upload-options.js';
import type { RegistryError } from '../../../src/registry/errors.js';
import { OPTION_NAMES, optionOf } from '../../../src/submissions/uploads/upload-options.js';

const DEFAULTS = {
  mode: 'partial',
  update: 'replace',
  duplicate: 'reuse',
  unknownColumns: 'characteristics',
  dryRun: false,
};
const read = (query: string, fields: Record<string, unknown> = {}) =>
  readUploadOptions(new URLSearchParams(query), fields);

/** Each fault with its place. */
function faults(query: string, fields: Record<string, unknown> = {}): string[] {
  try {
    read(query, fields);
  } catch (error) {
    const { code, message, detail } = error as RegistryError;
    const all = detail.errors?.flatMap(({ dataPath, errors }) => errors.map((text) => `${dataPath} ${text}`)) ?? [];
    expect([code, message]).toEqual([
      'request.invalid',
      `The upload’s options cannot be taken: ${detail.errors?.[0]?.errors[0]}`,
    ]);
    return all;
  }
  return [];
}

describe('an option', () => {
  it('is the field’s before the query’s, and what is empty counts nowhere', () => {
    expect(read('')).toStrictEqual(DEFAULTS);
    expect(read('releaseDate=2024-05-01').releaseDate).toBe(Date.UTC(2024, 4, 1));
    expect(read('mode=atomic')).toMatchObject({ mode: 'atomic' });
    expect(read('mode=atomic', { mode: 'partial' })).toMatchObject({ mode: 'partial' });
    expect(read('mode=atomic', { mode: '' })).toMatchObject({ mode: 'atomic' });
    expect(read('mode=&dryRun=true', { checklist: '' })).toEqual({ ...DEFAULTS, dryRun: true });
  });

  it('is given once, or several times alike', () => {
    expect(read('mode=atomic&mode=atomic&mode=')).toMatchObject({ mode: 'atomic' });
    expect(read('', { mode: ['', 'atomic', 'atomic'] })).toMatchObject({ mode: 'atomic' });
    expect(faults('mode=atomic&mode=partial')).toEqual([
      '/mode mode: is given as "atomic" and as "partial"; give one of them.',
    ]);
    expect(faults('', { sheet: ['a', 'b'], mode: 'atomic' })).toEqual([
      '/sheet sheet: is given as "a" and as "b"; give one of them.',
    ]);
    expect(read('sheet=a&sheet=b', { sheet: 'c' })).toMatchObject({ sheet: 'c' });
  });

  it('that is no text is refused as it is', () => {
    expect(faults('', { mode: { a: '1' } })).toEqual(['/mode mode: "{\\"a\\":\\"1\\"}" must be partial or atomic.']);
  });

  it('misspelt is refused, and one that nobody knows is ignored, whatever it is called', () => {
    expect(faults('Dry_Run=true&MODE=')).toEqual([
      '/Dry_Run There is no option Dry_Run; write dryRun.',
      '/MODE There is no option MODE; write mode.',
    ]);
    // A plain upload registers every row of the night again.
    expect(faults('standin=lims&keySpce=x&only-update=true&autoCommit=true', { relaseDate: '2024-01-01' })).toEqual([
      '/standin There is no option standin; write standing.',
      '/keySpce There is no option keySpce; write keySpace.',
      '/only-update There is no option only-update; write onlyUpdate.',
      '/autoCommit There is no option autoCommit; write commit=auto.',
      '/relaseDate There is no option relaseDate; write releaseDate.',
    ]);
    expect(faults('Duplicate=allow&updat=merge', { 'allow-duplicate': 'true' })).toEqual([
      '/Duplicate There is no option Duplicate; write duplicate.',
      '/updat There is no option updat; write update.',
      '/allow-duplicate There is no option allow-duplicate; write duplicate=allow.',
    ]);
    const ofClients = [
      'shet',
      'name',
      'filename',
      'filetype',
      'type',
      'relativePath',
      'contentType',
      'comment',
      'keys',
      'node',
    ];
    expect(read(ofClients.map((name) => `${name}=x`).join('&'))).toEqual(DEFAULTS);
    expect(read('constructor=1&__proto__=2&toString=3', { hasOwnProperty: 'x' })).toEqual(DEFAULTS);
  });

  it.each(OPTION_NAMES.filter((name) => optionOf(name).kind === 'text'))(
    '%s holds what every store can keep, at most so much',
    (name) => {
      const [space, key] = [name === 'keySpace' || name === 'standing', name !== 'key'];
      for (const bad of ['a\0b', '\ud800']) {
        const found = faults('', { [name]: bad, ...(key ? { key: 'Id' } : {}) });
        expect(found).toEqual([`/${name} ${name}: holds a NUL or half of a surrogate pair; take it out.`]);
      }
      const { max } = optionOf(name) as { max: number };
      const long = 'x'.repeat(max + 1);
      expect(faults('', { [name]: long })).toContain(`/${name} ${name}: must be at most ${max} characters long.`);
      expect(faults('', { [name]: '  ' })).toContain(`/${name} ${name}: must not be empty.`);
      if (!space && !name.startsWith('max'))
        expect(read('', { [name]: ` ${long.slice(1)} ` })).toMatchObject({ [name]: long.slice(1) });
    },
  );

  it('names every fault at once, also where options only mean something together', () => {
    expect(faults('mode=all&releaseDate=21/11/2024&dryRun=1')).toEqual([
      expect.stringMatching(/^\/releaseDate releaseDate: .*2024-11-21/),
      '/mode mode: "all" must be partial or atomic.',
      '/dryRun dryRun: "1" must be true or false.',
    ]);
    expect(faults('onlyUpdate=true&onlyCreate=true&keySpace=a%20b')).toEqual([
      expect.stringMatching(/^\/keySpace keySpace: "a b" is no name of a key space; write /),
      '/onlyUpdate onlyUpdate: contradicts onlyCreate; give one of the two.',
      '/keySpace keySpace: give the column that identifies the rows, too, as key (key=Sample Name for the name).',
    ]);
    expect(faults('releaseExisting=true')).toEqual([
      '/releaseExisting releaseExisting: give the date that existing samples get, too, as releaseDate.',
    ]);
    expect(faults('missing=withdraw&maxMissing=x&maxRejected=200%25')).toEqual([
      '/missing missing: is for standing sheets; give the name of the sheet, too, as standing.',
      expect.stringMatching(/^\/maxMissing maxMissing: "x" is no ceiling; write /),
      expect.stringMatching(/^\/maxRejected maxRejected: "200%" allows everything/),
    ]);
    expect(faults('standing=nightly%20x&keySpace=other')).toEqual([
      '/keySpace keySpace: give the column that identifies the rows, too, as key (key=Sample Name for the name).',
      expect.stringMatching(/^\/standing standing: "nightly x" is no name of a standing sheet; write /),
      '/standing standing: give the column that identifies the rows, too, as key.',
      '/keySpace keySpace: the key space of a standing sheet has its name; leave it out, or write nightly x.',
    ]);
    for (const together of [
      'standing=nightly&key=Id&keySpace=nightly&maxMissing=5%25',
      'standing=nightly&key=Id',
      'onlyUpdate=true&key=Id',
      'onlyCreate=true&key=Id&keySpace=lims',
      'releaseExisting=true&releaseDate=2024-05-01',
      'maxRejected=100%25',
    ])
      expect(faults(together), together).toEqual([]);
  });
});

describe('the description of an option', () => {
  it.each(OPTION_NAMES)('%s says what the service takes, and what it means where nothing is said', (name) => {
    const option = optionOf(name);
    const schema = optionSchema(option) as { type: string; enum?: string[]; default?: unknown; maxLength?: number };
    expect(schema).toStrictEqual(
      {
        choice: { type: 'string', enum: 'values' in option && option.values, ...defaultOf(read('')[name]) },
        switch: { type: 'boolean', default: false },
        date: { type: 'string' },
        text: { type: 'string', maxLength: 'max' in option && option.max },
      }[option.kind],
    );
    for (const value of schema.enum ?? [])
      expect(read(`standing=a&key=Id&${name}=${value}`)).toMatchObject({ [name]: value });
  });

  const defaultOf = (value: unknown) => (value === undefined ? {} : { default: value });
});
