/** The lines of whole results are the documents of their samples, whatever a sheet looks like and its cells hold. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { recordOf } from '../../src/exports/document-forms.js';
import { DocumentLines } from '../../src/exports/document-lines.js';
import { emptyLayout, type SampleLayout } from '../../src/registry/samples/packed-sample.js';
import type { ShownRecord } from '../../src/registry/samples/sample-reader.js';
import { SampleReader } from '../../src/registry/samples/sample-reader.js';
import type { SampleStore } from '../../src/registry/samples/sample-store.js';
import type { ResultRow } from '../../src/registry/samples/whole-result.js';
import { runs } from '../support/seeds.js';

const NOW = Date.UTC(2026, 0);
const CELLS = 7;
const cell = fc.nat(CELLS - 1);
const columns = <T>(of: fc.Arbitrary<T>, maxLength = 3): fc.Arbitrary<T[]> => fc.array(of, { maxLength });
const terms = columns(fc.record({ source: cell, accession: cell }, { requiredKeys: [] }), 2);
const layout: fc.Arbitrary<SampleLayout> = fc
  .record({
    cells: fc.constant(CELLS),
    characteristics: columns(
      fc.record(
        {
          name: fc.constantFrom('organism', 'Organism ', 'note', '7', '__proto__', '"'),
          text: cell,
          terms,
          unit: cell,
          fixedUnit: fc.constantFrom('year', '', '\\'),
          unitTerms: terms,
        },
        { requiredKeys: ['name', 'text'] },
      ),
      5,
    ),
    relationships: columns(fc.record({ type: fc.constantFrom('derived from', '\n'), target: cell })),
    externalReferences: columns(cell),
    contact: columns(fc.record({ Name: cell, 'E-mail': cell }, { requiredKeys: [] })),
    organization: columns(fc.record({ Name: cell })),
    publications: columns(fc.record({ doi: cell })),
  })
  .map((made) => ({ ...emptyLayout(), ...made }));
/** As fast-check's unit `binary`, which first makes a table of all of them. */
const anyCharacter = fc
  .oneof(fc.nat(0xd7ff), fc.integer({ min: 0xe000, max: 0x10ffff }))
  .map((point) => String.fromCodePoint(point));
const text = fc.oneof(
  { weight: 3, arbitrary: fc.constant('') },
  {
    weight: 6,
    arbitrary: fc.constantFrom('liver', 'NCBITaxon_9606', 'EFO:1', '9606', 'SAMR1', '1000-01-01', 'é', '$&'),
  },
  fc.constantFrom('"', '\\', '\n', '\r', '\u0000', '\u007f', '\u0085', '\u2028', '\ud800', '😀', '\uffff'),
  fc.string({ unit: anyCharacter, maxLength: 4 }).map((any) => any.replaceAll('\t', ' ')),
);
const time = fc.constantFrom(0, NOW - 1, NOW, NOW + 1, Date.UTC(9999, 11, 31), Date.UTC(2020, 4, 5, 6, 7, 8, 9));
const row = fc.record({
  id: fc.constantFrom(1, 17, 2 ** 40),
  account: fc.constantFrom('ada', 'bo"b'),
  name: fc.oneof({ weight: 4, arbitrary: fc.constantFrom('s 1', 's 2', '') }, text, fc.constant('a\tb')),
  release: time,
  via: fc.constantFrom('JSON_API' as const, 'FILE_UPLOADER' as const),
  created: time,
  updated: time,
  submitted: fc.option(time, { nil: undefined }),
  adminStatus: fc.constantFrom(undefined, 'KILLED' as const),
  doc: fc.array(text, { minLength: 1, maxLength: CELLS }).map((cells) => cells.join('\t')),
});

const COMMON = {
  account: 'ada',
  via: 'FILE_UPLOADER',
  created: 5,
  updated: 6,
  submitted: 7,
  adminStatus: undefined,
} as const;
/** No store holds one. */
const UNPAIRED = /\p{Surrogate}/u;
const room = Buffer.alloc(100_000);

/** As SQLite hands it over, among other bytes. */
function withBytes(row: ResultRow): ResultRow {
  const bytes = Buffer.from(`before${row.name}${row.doc}after`);
  const doc = 6 + Buffer.byteLength(row.name);
  return { ...row, bytes: { bytes, name: 6, doc, end: bytes.length - 5 } };
}

it.each([
  ['', undefined],
  ['with a second name of the owner', 'webinSubmissionAccountId'],
])('are the documents of their samples %s', (_, accountFieldAlias) => {
  const reader = new SampleReader({} as SampleStore, { prefix: 'SAMR', now: () => NOW, accountFieldAlias });
  const document = (record: ShownRecord): object => reader.document(record, true);
  fc.assert(
    fc.property(layout, fc.array(row, { minLength: 1, maxLength: 12 }), (form, rows) => {
      const lines = new DocumentLines({ prefix: 'SAMR', now: NOW, document });
      for (const each of rows) {
        const sample: ResultRow = { ...each, layout: form };
        const line = `${JSON.stringify(document(recordOf(sample)))}\n`;
        expect(lines.line(sample)).toBe(line);
        const text = `${each.name}\t${each.doc}`;
        for (const asked of [sample, ...(UNPAIRED.test(text) ? [] : [withBytes(sample)])]) {
          const end = lines.put(asked, room, 3);
          if (end !== -1) expect(room.toString('utf8', 3, end)).toBe(line);
          // Nothing is gained where most rows have to be printed as text.
          else expect(/["\\]|[^\t -\ud7ff\ue000-\uffff]/.test(text) || each.name.includes('\t')).toBe(true);
        }
      }
    }),
    { numRuns: runs(1_000) },
  );
});

it('are put only where there is room for all of them', () => {
  const form = { ...emptyLayout(), cells: 1, characteristics: [{ name: 'tissue', text: 0 }] };
  const reader = new SampleReader({} as SampleStore, { prefix: 'SAMR', now: () => NOW });
  const lines = new DocumentLines({ prefix: 'SAMR', now: NOW, document: (record) => reader.document(record, true) });
  const row = withBytes({ ...COMMON, id: 1, name: 's', release: 5, doc: 'liver', layout: form });
  const whole = lines.put(row, room, 0);
  for (let size = 0; size <= whole + 200; size++) {
    const small = Buffer.alloc(size + 1, 'x');
    const end = lines.put(row, small.subarray(0, size), 0);
    if (end !== -1) expect(small.toString()).toBe(`${lines.line(row)}${'x'.repeat(size + 1 - whole)}`);
    expect(end).toBe(end === -1 ? -1 : whole);
  }
  expect(lines.put(row, room, room.length - whole - 200)).toBe(room.length - 200);
});

it('have the dates of their samples whatever those before had', () => {
  const form = { ...emptyLayout(), cells: 1, characteristics: [{ name: 'tissue', text: 0 }] };
  const reader = new SampleReader({} as SampleStore, { prefix: 'SAMR', now: () => NOW });
  const lines = new DocumentLines({ prefix: 'SAMR', now: NOW, document: (record) => reader.document(record, true) });
  for (let id = 1; id <= 200; id++) {
    const [updated, created] = [id % 50 < 30 ? 7 : 8, id % 40 < 30 ? 5 : 6];
    const submitted = id % 100 < 60 ? undefined : id % 60 < 40 ? 9 : 10;
    const row = withBytes({
      ...{ ...COMMON, updated, created, submitted },
      ...{ id, name: `s ${id}`, release: id % 7, doc: 'liver', layout: form },
    });
    expect(room.toString('utf8', 0, lines.put(row, room, 0))).toBe(lines.line(row));
  }
});

it('make a form once for all rows that fit it', () => {
  const form: SampleLayout = {
    ...emptyLayout(),
    cells: 3,
    characteristics: [{ name: 'organism', text: 0, terms: [{ source: 1, accession: 2 }] }],
  };
  let documents = 0;
  const reader = new SampleReader({} as SampleStore, { prefix: 'SAMR', now: () => NOW });
  const document = (record: ShownRecord): object => {
    documents++;
    return reader.document(record, true);
  };
  const lines = new DocumentLines({ prefix: 'SAMR', now: NOW, document });
  for (let id = 1; id <= 5_000; id++) {
    const doc = `organism ${id}\tNCBITaxon\tNCBITaxon_${id % 4}`;
    expect(lines.put({ ...COMMON, layout: form, id, name: `s ${id}`, release: id, doc }, room, 0)).toBeGreaterThan(0);
  }
  expect(documents).toBe(4);
});
