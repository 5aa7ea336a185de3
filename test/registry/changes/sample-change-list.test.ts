import { describe, expect, it } from 'vitest';
import {
  columnOf,
  editSample,
  readChanges,
  type SampleChange,
} from '../../../src/registry/changes/sample-change-list.js';
import { type Characteristic, type Characteristics, emptyContent } from '../../../src/registry/samples/sample.js';

const RELEASE = Date.UTC(2024, 0, 1);
const problemsOf = (changes: unknown): Record<string, string[]> =>
  Object.fromEntries(readChanges(changes, 'changes').problems.map(({ dataPath, errors }) => [dataPath, errors]));

describe('changes of a batch edit', () => {
  it('are read with their texts trimmed and empty members folded away', () => {
    const read = readChanges(
      [
        { set: ' tissue ', values: [{ text: ' liver ', unit: '', ontologyTerms: null }], existing: 'append' },
        { rename: 'a', to: ' b ', existing: 'replace' },
        { clear: 'c' },
        { release: '2024-11-21' },
      ],
      'changes',
    );
    expect(read).toEqual({
      problems: [],
      changes: [
        { set: 'tissue', values: [{ text: 'liver' }], existing: 'append' },
        { rename: 'a', to: 'b', existing: 'replace' },
        { clear: 'c' },
        { release: '2024-11-21T00:00:00.000Z' },
      ],
    });
  });

  const clears = (count: number) => Array.from({ length: count }, (_, at) => ({ clear: `c${at}` }));
  it('are 1 to 50 in number', () => {
    expect(problemsOf([])).toEqual({ '/changes': ['holds 0 changes; send 1 to 50'] });
    expect(problemsOf(clears(50))).toEqual({});
    expect(readChanges(clears(50), 'changes').changes).toHaveLength(50);
    expect(problemsOf(clears(51))).toEqual({ '/changes': ['holds 51 changes; send 1 to 50'] });
    expect(readChanges(clears(51), 'changes').changes).toEqual([]);
    expect(problemsOf('x')).toEqual({ '/changes': ['must be a list in [ ]'] });
    expect(problemsOf(undefined)).toEqual({ '/changes': ['is required'] });
  });

  const one = 'must be one of {"set": …, "values": […]}, {"rename": …, "to": …}, {"clear": …}, {"release": …}';
  it.each([
    [{}, '/changes/0', one],
    [5, '/changes/0', one],
    [null, '/changes/0', one],
    [{ clear: 'a', release: '2024-01-01' }, '/changes/0', one],
    [Object.create({ clear: 'a' }), '/changes/0', one],
    [
      { set: 'a', values: [] },
      '/changes/0/values',
      'is empty; to take the characteristic away, send {"clear": its name}',
    ],
    [{ set: 'a', values: [{ text: 'x' }, { unit: 'kg' }, {}] }, '/changes/0/values/2', 'says nothing; give it a text'],
    [{ set: 'a', values: [{}] }, '/changes/0/values/0', 'says nothing; give it a text'],
    [{ set: 'a' }, '/changes/0/values', 'is required'],
    [{ set: ' ', values: [{ text: 'x' }] }, '/changes/0/set', 'is required and must not be empty'],
    [{ rename: 'a', to: ' a ' }, '/changes/0/to', 'is the name that it has already'],
    [{ rename: 'a' }, '/changes/0/to', 'is required'],
    [{ clear: 5 }, '/changes/0/clear', 'must be a text in quotes'],
  ])('are refused each at its place: %j', (change, place, message) => {
    expect(problemsOf([change])).toEqual({ [place]: [message] });
  });

  it.each([
    { clear: 'a', more: 1 },
    { set: 'a', values: [{ text: 'x' }], existing: 'refuse' },
    { rename: 'a', to: 'b', existing: 'keep' },
    { release: 'soon' },
    { release: '2024-01-01', more: 1 },
  ])('are refused with what is unknown or unreadable: %j', (change) => {
    expect(Object.keys(problemsOf([change]))).toHaveLength(1);
    expect(readChanges([change], 'changes').changes).toEqual([]);
  });

  it('change each characteristic and the release once', () => {
    const values = [{ text: 'x' }];
    expect(problemsOf([{ set: 'a', values }, { clear: 'b' }, { rename: 'a', to: 'c' }])).toEqual({
      '/changes/2': ['changes Characteristics[a], which another change does already'],
    });
    expect(problemsOf([{ release: '2024-01-01' }, { release: '2024-01-02' }])).toEqual({
      '/changes/1': ['changes Release Date, which another change does already'],
    });
  });

  it.each([
    [{ set: 'a', values: [] }, 'Characteristics[a]'],
    [{ rename: 'b', to: 'c' }, 'Characteristics[b]'],
    [{ clear: 'd' }, 'Characteristics[d]'],
    [{ release: 'x' }, 'Release Date'],
  ] as [SampleChange, string][])('are of the column that a sheet would have: %j', (change, column) =>
    expect(columnOf(change)).toBe(column),
  );
});

describe('a sample that is edited', () => {
  const text = (...texts: string[]): Characteristic[] => texts.map((each) => ({ text: each }));
  const sample = () => {
    const content = emptyContent();
    Object.assign(content.characteristics, { a: text('1'), b: text('2', '3'), c: text('4') });
    return { release: RELEASE, content };
  };
  const edited = (...changes: SampleChange[]) => {
    const given = sample();
    const after = editSample(given, changes);
    expect(given).toEqual(sample());
    return after;
  };
  const becomes = (change: SampleChange, outcome: string, characteristics: Characteristics) => {
    const after = edited(change);
    expect(after.outcomes).toEqual([outcome]);
    expect(Object.entries(after.content.characteristics)).toEqual(Object.entries(characteristics));
    expect(after.refusals).toEqual([]);
  };
  const [a, b, c] = [text('1'), text('2', '3'), text('4')];

  it.each([
    ['replaces values', { set: 'b', values: text('5') }, 'changed', { a, b: text('5'), c }],
    ['gives a characteristic', { set: 'd', values: text('5') }, 'changed', { a, b, c, d: text('5') }],
    ['keeps what is there', { set: 'b', values: text('5'), existing: 'keep' }, 'already', { a, b, c }],
    [
      'gives what is not there to keep',
      { set: 'd', values: text('5'), existing: 'keep' },
      'changed',
      { a, b, c, d: text('5') },
    ],
    [
      'appends what it lacks',
      { set: 'b', values: text('3', '5'), existing: 'append' },
      'changed',
      { a, b: text('2', '3', '5'), c },
    ],
    ['appends nothing twice', { set: 'b', values: text('3'), existing: 'append' }, 'already', { a, b, c }],
    ['has the values already', { set: 'a', values: text('1') }, 'already', { a, b, c }],
    ['loses a characteristic', { clear: 'b' }, 'changed', { a, c }],
    ['lacks the one to clear', { clear: 'toString' }, 'lacking', { a, b, c }],
    ['calls one otherwise, at its place', { rename: 'a', to: 'z' }, 'changed', { z: a, b, c }],
    ['lacks the one to rename', { rename: 'constructor', to: 'z' }, 'lacking', { a, b, c }],
    ['replaces that of the new name', { rename: 'a', to: 'b', existing: 'replace' }, 'changed', { b: a, c }],
    [
      'appends to that of the new name',
      { rename: 'a', to: 'b', existing: 'append' },
      'changed',
      { b: text('2', '3', '1'), c },
    ],
  ] as [string, SampleChange, string, Characteristics][])('%s', (_, change, outcome, characteristics) =>
    becomes(change, outcome, characteristics),
  );

  it('keeps names that are traps elsewhere', () => {
    const named = edited({ set: 'constructor', values: a }, { rename: 'b', to: '__proto__' });
    expect(Object.keys(named.content.characteristics)).toEqual(['a', '__proto__', 'c', 'constructor']);
  });

  it('refuses a new name that it has, with what to do', () => {
    const refused = edited({ rename: 'a', to: 'b' }, { clear: 'c' });
    expect(refused.outcomes).toEqual([undefined, 'changed']);
    expect(refused.refusals).toEqual([
      {
        column: 'Characteristics[b]',
        message:
          'The sample has Characteristics[b] already, and was left as it is. Say what is to become of it: its values replaced, or these added to them.',
      },
    ]);
    expect(Object.keys(refused.content.characteristics)).toEqual(['a', 'b']);
  });

  it('gets another release, and nothing else', () => {
    const later = edited({ release: '2024-02-01T00:00:00.000Z' });
    expect(later).toEqual({ ...sample(), release: Date.UTC(2024, 1, 1), outcomes: ['changed'], refusals: [] });
    expect(edited({ release: '2024-01-01T00:00:00.000Z' })).toMatchObject({ release: RELEASE, outcomes: ['already'] });
  });
});
