/** The rows of a receipt: what happened to a file, in a line each, and nothing where there is nothing to say. */
import { describe, expect, it } from 'vitest';
import { planFile } from '../../src/submissions/json-file/plan.js';
import { namedSamples } from '../../src/submissions/reading/reread.js';
import { changeRow, changesElsewhere, issueRow, receiptHead } from '../../src/submissions/results/receipt.js';
import { formOf, PART_ENDING } from '../../src/submissions/results/result-form.js';
import { changedSome, endState, type Submission, type UploadOptions } from '../../src/submissions/submission.js';
import { isWanted } from '../../src/submissions/submission-search.js';
import {
  differingOptions,
  optionFields,
  readsOtherwise,
  sameFile,
  sameOptions,
} from '../../src/submissions/uploads/upload-options.js';
import type { SheetPlan } from '../../src/tsv/header/columns.js';
import { readSheet } from '../tsv/read-sheet.js';

const plan = planFile(
  Buffer.from('Sample Name\tRelease Date\na\t2020-01-01\n'),
  { prefix: 'SAMR', unknownColumns: 'characteristics' },
  true,
);
const plain = { ...plan, meanings: [] } as SheetPlan;
const head = (
  options: Partial<UploadOptions> = {},
  more: Partial<Submission> = {},
  of: Partial<SheetPlan> = {},
): string[] => {
  const counts = { rows: 3, created: 1, updated: 0, unchanged: 2, rejected: 0 };
  const submission = {
    id: 'x',
    state: 'COMPLETED',
    fileName: 'f.tsv',
    counts,
    becomePublic: 0,
    createdPublic: 0,
    issues: [],
    cursor: 4,
    ...more,
    options,
  } as unknown as Submission;
  return receiptHead(submission, { ...plain, ...of }).map((row) => row.join(' | '));
};
const FIRST = [
  'Submission ID | x',
  'File | f.tsv',
  'Status | COMPLETED',
  'Created | 1',
  'Updated | 0',
  'Unchanged | 2',
  'Rejected | 0',
];
const ISSUES = 'Line | Column | Code | Value | Message | Suggestion';
const counts = (of: object) => ({ counts: { rows: 3, created: 1, updated: 0, unchanged: 2, rejected: 0, ...of } });
const day = Date.UTC(2020, 0, 2);

describe('a receipt', () => {
  it('begins with the file, its end and its counts, and says no more where that is all', () => {
    expect(head()).toEqual(FIRST);
    expect(head({ standing: 's' }, {}, { below: [['x']] })).toEqual(FIRST);
    expect(head({ releaseDate: day }, { standing: { missing: 3 } })).toEqual(FIRST);
    expect(head({}, {}, { meanings: undefined as never })).toEqual(FIRST);
  });

  it.each([
    [{}, { becomePublic: 2 }, {}, ['Became public | 2 | samples that were there before and were not public']],
    [
      { dryRun: true },
      { becomePublic: 2 },
      {},
      [
        'Would become public | 2 | samples that were there before and were not public',
        'Dry run | nothing was written; POST /submissions/x/commit carries it out as shown here',
      ],
    ],
    [{}, { createdPublic: 1 }, {}, ['Created public | 1']],
    [{ commitOf: { submissionId: 'dry' } }, {}, {}, ['Dry run carried out | dry']],
    [{ rereadOf: 'first' }, {}, {}, ['Columns read anew | the samples of submission first, line by line']],
    [{ undoOf: 'done' }, {}, {}, ['Submission undone | done']],
    [
      {},
      { problem: { code: 'file.empty', message: 'No rows.', retryable: false } },
      {},
      ['Problem | file.empty | No rows.'],
    ],
    [{ readAs: { sheet: 'S', bytes: 1 } }, {}, {}, ['Read from | sheet of the workbook | S']],
    [
      { readAs: { sheet: 's.txt', bytes: 1, archived: true, title: 'T', dated: true }, releaseDate: day },
      {},
      {},
      [
        'Read from | file of the archive | s.txt',
        'Study | T | from the investigation file',
        'Release date | 2020-01-02T00:00:00.000Z | of the study, from the investigation file',
      ],
    ],
    [{ readAs: { sheet: 'S', bytes: 1, dated: true } }, {}, {}, ['Read from | sheet of the workbook | S']],
    [
      { datedBy: 'profile', releaseDate: day, readBy: { name: 'p' } },
      {},
      {},
      ['Release date | 2020-01-02T00:00:00.000Z | as the import profile p says'],
    ],
    [{ datedBy: 'profile' }, {}, {}, []],
    [
      {},
      {},
      { profile: { name: 'p', title: 'Title', rank: 'shipped', named: false } },
      ['Read as | Title | import profile p'],
    ],
    [
      {},
      {},
      { profile: { name: 'p', title: 'Title', rank: 'own', version: 3, named: false } },
      ['Read as | Title | import profile p, version 3'],
    ],
    [
      {},
      {},
      { profile: { name: 'p', title: 'Title', rank: 'shared', version: 3, named: false } },
      ['Read as | Title | import profile p, version 3, shared'],
    ],
    [{}, {}, { namedBy: 'Tube' }, ['Samples named by the column | Tube']],
    [{}, {}, { encoding: 'windows-1252' }, ['Read as | windows-1252']],
    [{}, {}, { meanings: ['a: b', 'c: d'] }, ['Columns read as | a: b | c: d']],
    [{}, {}, { fromPlainHeaders: ['tissue'] }, ['Columns kept as characteristics because of a plain header | tissue']],
    [{}, {}, { notStored: ['REF'] }, ['Columns not stored in the samples | REF']],
    [
      { standing: 's' },
      { standing: { samples: 9, missing: 2, decision: 'WAITING' } },
      {},
      ['Standing sheet | s', 'Missing | 2 | of 9 samples; GET /submissions/x/missing lists them', 'Plan | WAITING | '],
    ],
    [
      { standing: 's' },
      { standing: { decision: 'STOPPED', message: 'Why.' } },
      {},
      ['Standing sheet | s', 'Plan | STOPPED | Why.'],
    ],
    [
      { standing: 's' },
      { standing: { decision: 'COMMITTED', commit: 'c' } },
      {},
      ['Standing sheet | s', 'Plan | COMMITTED | submission c'],
    ],
    [
      { standing: 's' },
      { standing: { withdrawn: 0, left: 0 } },
      {},
      ['Standing sheet | s', 'Withdrawn | 0 | missing samples'],
    ],
    [
      { standing: 's' },
      { standing: { withdrawn: 4, left: 1 } },
      {},
      [
        'Standing sheet | s',
        'Withdrawn | 4 | missing samples',
        'Left | 1 | missing samples that were changed after the plan',
      ],
    ],
    [
      { readAs: { sheet: 'S', bytes: 1, notRead: ['T', 'U'] } },
      {},
      {},
      ['Read from | sheet of the workbook | S', 'Not read | sheets that name samples, too | T | U'],
    ],
    [
      {},
      { problem: { code: 'file.quote-unclosed', message: 'M.', line: 7, retryable: false } },
      {},
      ['Problem | file.quote-unclosed | M.', 'Rows not read | from line 7 on; they do not stand above'],
    ],
    [
      {},
      { problem: { code: 'file.too-many-rejected', message: 'M.', line: 7, retryable: false } },
      {},
      ['Problem | file.too-many-rejected | M.'],
    ],
    [{}, {}, { groups: ['g'], headerLine: 3, below: [['Sample Name']] }, ['Header in two rows | from line 3 on']],
    [{}, {}, { below: [[], [' Sample Name ']], headerEnd: 2 }, ['Row of the header, no sample | line 2']],
    [
      {},
      {},
      { header: [' Sample Name '], below: [['Sample Name']], headerEnd: 2 },
      ['Row of the header, no sample | line 2'],
    ],
    // The name is made of several columns.
    [{}, {}, { nameColumn: 9, below: [['x']], headerEnd: 2 }, []],
    [{}, {}, { below: [['', 'm', 'kg']], headerEnd: 2 }, ['Row of units, no sample | line 2']],
    [{}, {}, { below: [['required', 'optional']], headerEnd: 4 }, ['Row about the columns, no sample | up to line 4']],
    [{}, { issues: [{}] }, {}, [ISSUES]],
  ] as unknown as [Partial<UploadOptions>, Partial<Submission>, Partial<SheetPlan>, string[]][])(
    'with %j of %j as %j',
    (options, more, of, rows) => {
      expect(head(options, more, of)).toEqual([...FIRST, ...rows]);
    },
  );

  /** Each case of the table above prints rows of its own. */
  it('has no row that passes for a sample where it lost the lines around it, or was sorted into the table', async () => {
    const id = '0b7c6e0e-6f0f-4f0a-9f6a-3a4b5c6d7e8f';
    const profile = { name: 'p', title: 'Title', rank: 'own', version: 3, named: false } as const;
    const all = [
      ...head({ dryRun: true }, { id, becomePublic: 2, createdPublic: 1, ...counts({ rejected: 1 }) }),
      ...head({ commitOf: { submissionId: id }, rereadOf: id } as Partial<UploadOptions>, { id, becomePublic: 2 }),
      ...head({ undoOf: id }, { id, state: 'ACTIVE' }),
      ...head({}, { id, problem: { code: 'file.empty', message: 'No rows.', retryable: false } }),
      ...head(
        { readAs: { sheet: 's', bytes: 1, archived: true, title: 'T', dated: true }, releaseDate: day },
        { id },
        { profile, namedBy: 'Tube' },
      ),
      ...head({ readAs: { sheet: 's', bytes: 1, notRead: ['other'] } }, { id }, { encoding: 'latin1', delimiter: ';' }),
      ...head({ datedBy: 'profile', releaseDate: day, readBy: { name: 'p' } } as Partial<UploadOptions>, { id }),
      ...head({}, { id }, { meanings: ['a: b'], fromPlainHeaders: ['c'], notStored: ['d'], groups: ['g'] }),
      ...head({}, { id }, { below: [['Sample Name'], ['', 'm', 'kg'], ['required', 'optional']] }),
      ...head(
        { standing: 's' },
        { id, standing: { samples: 9, missing: 2, decision: 'WAITING', withdrawn: 4, left: 1 } },
      ),
      ...head({ standing: 's' }, { id, standing: { decision: 'COMMITTED', commit: id } }),
      ...changesElsewhere(id, { ofOthers: true, further: true }).map((row) => row.join(' | ')),
      'line 3 | C | row.held-back | v | M | s',
      'line 3 |  | row.held-back |  | M',
      'line 2 | C | change | a | would become b',
    ];
    const rows = [...new Set(all)].map((row) => row.split(' | '));
    const wide = ['Sample Name', 'a', 'b', 'Sample Identifier', 'c', 'd'];
    const text = [wide, ...rows, ['Created', '3', '', '', 'x'], ['File', '', 'y'], ['Status', 'ill'], ['Left', 'x']]
      .map((row) => `${row.join('\t')}\n`)
      .join('');
    const { rejected, samples } = await readSheet(text, {
      header: { unknownColumns: 'characteristics', releaseDate: day },
    });
    expect(rejected.map(({ issues }) => issues.map(({ code }) => code))).toEqual(rows.map(() => ['row.of-receipt']));
    expect(samples.map(({ name }) => name)).toEqual(['Created', 'File', 'Status', 'Left']);
  });

  it('says how the cells are separated', () => {
    expect(head({}, {}, { delimiter: ',' }).at(-1)).toMatch(/^Cells separated by \| /);
    expect(head({}, { state: 'ACTIVE' })).toEqual([
      ...FIRST.with(2, 'Status | ACTIVE'),
      'Processing | up to line 4 so far; ask again later for the rest',
    ]);
  });

  it('has the head of a list where rows are refused, warned of, or would change in a dry run', () => {
    expect(head({}, counts({ rejected: 1 })).at(-1)).toBe(ISSUES);
    expect(head({}, counts({ updated: 1 })).at(-1)).toBe('Rejected | 0');
    expect(head({ dryRun: true }, counts({ updated: 1 })).at(-1)).toBe(ISSUES);
    expect(head({ dryRun: true }).at(-1)).not.toBe(ISSUES);
    expect(changesElsewhere('x', { ofOthers: true, further: true })).toEqual([
      [
        'Changes of others',
        'samples of other accounts would change, too; GET /submissions/x/changes shows them to administrators',
      ],
      ['Changes not listed', 'the first are here; GET /submissions/x/changes lists all of them'],
    ]);
    expect(changesElsewhere('x', { ofOthers: false, further: false })).toEqual([]);
    expect(issueRow({ line: 3, code: 'row.held-back', message: 'M', severity: 'error' })).toEqual([
      'line 3',
      '',
      'row.held-back',
      '',
      'M',
      '',
    ]);
    expect(
      issueRow({
        line: 3,
        column: 'C',
        code: 'row.held-back',
        value: 'v',
        message: 'M',
        suggestion: 's',
        severity: 'error',
      }),
    ).toEqual(['line 3', 'C', 'row.held-back', 'v', 'M', 's']);
    expect(changeRow({ line: 2, accession: 'SAMR1', column: 'C', before: 'a' })).toEqual([
      'line 2',
      'C',
      'change',
      'a',
      'would become empty',
      '',
    ]);
    expect(changeRow({ line: 2, accession: 'SAMR1', column: 'C', after: 'b' })).toEqual([
      'line 2',
      'C',
      'change',
      '',
      'would become b',
      '',
    ]);
  });
});

describe('a submission', () => {
  it.each([
    [{ created: 3 }, false, 'COMPLETED'],
    [{ created: 2, rejected: 1 }, false, 'COMPLETED_WITH_ERRORS'],
    [{ rejected: 3 }, false, 'FAILED'],
    [{ rejected: 3 }, true, 'CANCELLED'],
    [{ rows: 0 }, false, 'COMPLETED'],
  ])('with %j ends (cancelled: %s) as %s', (of, cancelled, state) => {
    expect(endState({ rows: 3, created: 0, updated: 0, unchanged: 0, rejected: 0, ...of }, cancelled)).toBe(state);
  });

  it('has changed something where samples were created, updated or withdrawn', () => {
    const none = { rows: 2, created: 0, updated: 0, unchanged: 2, rejected: 0 };
    const changed = [{}, { created: 1 }, { updated: 1 }].map((of) => changedSome({ counts: { ...none, ...of } }));
    expect([
      ...changed,
      changedSome({ counts: none, standing: { withdrawn: 1 } }),
      changedSome({ counts: none, standing: {} }),
    ]).toEqual([false, true, true, true, false]);
  });

  it('is found by what is asked for, dates from and before', () => {
    const outline = { fileName: 'Leber Ⅷ.TSV', dryRun: false, created: 1_000 };
    const wanted = (filter: object, of: object = {}) => isWanted({ ...outline, ...of }, { dryRuns: true, ...filter });
    expect([
      wanted({}),
      wanted({ dryRuns: false }),
      wanted({}, { dryRun: true }),
      wanted({ dryRuns: false }, { dryRun: true }),
    ]).toEqual([true, true, true, false]);
    expect([wanted({ from: 1_000 }), wanted({ from: 1_001 }), wanted({ to: 1_000 }), wanted({ to: 1_001 })]).toEqual([
      true,
      false,
      false,
      true,
    ]);
    expect([wanted({ fileName: 'leber VIII' }), wanted({ fileName: '.tsv' }), wanted({ fileName: 'niere' })]).toEqual([
      true,
      true,
      false,
    ]);
  });

  it('has results in the form of its file', () => {
    const forms = [
      {},
      { columns: {} },
      { columns: { json: 'lines' } },
      { columns: { json: 'lines' }, options: { readAs: { isa: true } } },
      { options: { readAs: {} } },
      { options: {} },
    ];
    expect(forms.map((signs) => formOf(signs as Parameters<typeof formOf>[0]))).toEqual([
      'sheet',
      'sheet',
      'lines',
      'isa',
      'sheet',
      'sheet',
    ]);
    expect(
      (['sheet', 'lines', 'isa'] as const).map((form) =>
        [PART_ENDING.result(form), PART_ENDING.mapping(), PART_ENDING.errors(form)].join(' '),
      ),
    ).toEqual([
      'result.tsv mapping.json errors.tsv',
      'result.ndjson mapping.json errors.ndjson',
      'result.isa.json mapping.json errors.ndjson',
    ]);
  });

  it('names five of the samples that were changed since', () => {
    const changed = Array.from({ length: 6 }, (_, at) => ({ line: at + 2, accession: `SAMR${at}` }));
    expect(namedSamples(changed.slice(0, 2))).toBe('SAMR0 (line 2), SAMR1 (line 3)');
    expect(namedSamples(changed.slice(0, 5)).endsWith('SAMR4 (line 6)')).toBe(true);
    expect(namedSamples(changed)).toBe(
      'SAMR0 (line 2), SAMR1 (line 3), SAMR2 (line 4), SAMR3 (line 5), SAMR4 (line 6) …',
    );
  });
});

describe('options of two uploads of the same bytes', () => {
  it.each([
    [{}, {}, []],
    [{ mode: 'atomic' }, { mode: 'partial' }, ['mode']],
    [{ dryRun: true, duplicate: 'allow' }, { dryRun: false, duplicate: 'reuse' }, []],
    [{ releaseExisting: false }, {}, []],
    [{ releaseExisting: true }, {}, ['releaseExisting']],
    [{ onlyUpdate: true }, { onlyCreate: true }, ['onlyUpdate', 'onlyCreate']],
    [{ releaseDate: 1 }, { releaseDate: 2 }, ['releaseDate']],
    [{ releaseDate: 1, datedBy: 'profile' }, { releaseDate: 2, datedBy: 'profile' }, []],
    [{ releaseDate: 1, datedBy: 'profile' }, { releaseDate: 2 }, ['releaseDate']],
    [{ profile: 'p' }, { profile: 'q' }, ['profile']],
    [{ profile: 'p', readBy: { name: 'p', version: 1 } }, { readBy: { name: 'p', version: 1 } }, []],
    [{ readBy: { name: 'p', version: 1 } }, { readBy: { name: 'p', version: 2 } }, ['profile']],
    [{ readBy: { name: 'p' } }, { readBy: { name: 'p' } }, []],
    [{ sheet: 'a' }, { sheet: 'b' }, []],
    [{ encoding: 'utf-16le', nameColumn: 'n' }, {}, ['encoding', 'nameColumn']],
  ] as [object, object, string[]][])('%j and %j differ in %j', (a, b, differing) => {
    expect(differingOptions(a, b)).toEqual(differing);
    expect(sameOptions(a, b)).toBe(differing.length === 0);
  });

  it('say whether the columns are read otherwise, or it is another file', () => {
    expect([
      readsOtherwise({}, { encoding: 'x' }),
      readsOtherwise({}, { mode: 'atomic' }),
      readsOtherwise({}, {}),
    ]).toEqual([true, false, false]);
    expect([
      sameFile({ sheet: 'a' }, { sheet: 'a' }),
      sameFile({ sheet: 'a' }, {}),
      sameFile({ mode: 'atomic' }, {}),
    ]).toEqual([true, false, true]);
    expect(
      optionFields({
        mode: 'atomic',
        dryRun: false,
        onlyUpdate: true,
        key: undefined as never,
        releaseDate: '2020-01-01',
      }),
    ).toEqual({ mode: 'atomic', onlyUpdate: 'true', releaseDate: '2020-01-01' });
  });
});
