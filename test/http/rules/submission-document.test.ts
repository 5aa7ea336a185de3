/** A submission as clients see it: what is said of it, and what can be done with it next. */
import { describe, expect, it } from 'vitest';
import { submissionDocument } from '../../../src/http/submission-document.js';
import type { Submission, UploadOptions } from '../../../src/submissions/submission.js';

const ID = '0b7c6e0e-6f0f-4f0a-9f6a-3a4b5c6d7e8f';
const SELF = `http://x/submissions/${ID}`;
const AT = Date.UTC(2024, 4, 1);
const OPTIONS: UploadOptions = {
  mode: 'partial',
  update: 'replace',
  duplicate: 'reuse',
  unknownColumns: 'characteristics',
  dryRun: false,
};
const COLUMNS = {
  fromPlainHeaders: { count: 0, headers: [] },
  notStored: { count: 0, headers: [] },
  nothingStored: false,
};
const counted = (more: Partial<Submission['counts']> = {}) => ({
  rows: 9,
  created: 0,
  updated: 0,
  unchanged: 9,
  rejected: 0,
  ...more,
});

const BASE: Submission = {
  id: ID,
  account: 'lab-7',
  admin: false,
  state: 'COMPLETED',
  phase: 'DONE',
  lane: 'small',
  fileName: 'a.tsv',
  fileSize: 200,
  sha256: 'abc',
  blobKey: 'secret',
  options: OPTIONS,
  columns: COLUMNS,
  counts: counted(),
  becomePublic: 1,
  createdPublic: 2,
  issues: [],
  bytesRead: 150,
  cursor: 10,
  attempts: 1,
  cancelRequested: false,
  created: AT,
  updated: AT + 1000,
};

type Beside = Parameters<typeof submissionDocument>[2];
const shown = (more: Partial<Submission> = {}, beside?: Beside) =>
  submissionDocument({ ...BASE, ...more }, 'http://x', beside);
const optionsOf = (more: Partial<UploadOptions>) => ({ options: { ...OPTIONS, ...more } });
/** Those that not every submission has. */
const linksOf = (more: Partial<Submission>, beside?: Beside): string[] => {
  const always = ['self', 'result', 'mapping', 'errors', 'original', 'events'];
  const links = shown(more, beside)._links as Record<string, { href: string }>;
  for (const [name, { href }] of Object.entries(links))
    expect(href).toBe(
      { self: SELF, roCrate: `${SELF}/ro-crate`, openRelationships: `${SELF}/open-relationships` }[name] ??
        `${SELF}/${name}`,
    );
  expect(Object.keys(links)).toEqual(expect.arrayContaining(always));
  return Object.keys(links).filter((name) => !always.includes(name));
};

describe('the document of a submission', () => {
  it('says what was sent and what became of it, and nothing of how it is kept', () => {
    const { _links, ...document } = shown();
    expect(document).toStrictEqual({
      submissionId: ID,
      submissionStatus: 'COMPLETED',
      phase: 'DONE',
      submissionDate: '2024-05-01T00:00:00.000Z',
      lastUpdateDate: '2024-05-01T00:00:01.000Z',
      submitterDetails: 'lab-7',
      fileName: 'a.tsv',
      fileSize: 200,
      sha256: 'abc',
      options: OPTIONS,
      columns: COLUMNS,
      counts: BASE.counts,
      becomePublic: 1,
      createdPublic: 2,
      bytesRead: 150,
      attempts: 1,
      issues: [],
    });
  });

  it('says what there is beside it', () => {
    const standing = { missing: 1, withdrawn: 0 } as unknown as NonNullable<Submission['standing']>;
    const problem = { code: 'file.header', message: 'No header.', retryable: false };
    const more = { worker: 'w', leaseUntil: AT, earlierUpload: 'earlier', problem, standing };
    expect(shown(more, { queuePosition: 0, undoneBy: 'u', committedBy: 'c' })).toMatchObject({
      ...more,
      leaseUntil: '2024-05-01T00:00:00.000Z',
      queuePosition: 0,
      undoneBy: 'u',
      committedBy: 'c',
    });
    expect(shown({ state: 'ACTIVE', cancelRequested: true })).toMatchObject({ cancelRequested: true });
    expect(shown({ state: 'CANCELLED', cancelRequested: true })).not.toHaveProperty('cancelRequested');
    expect(shown({ columns: undefined as never })).not.toHaveProperty('columns');
  });

  it('says the options as they are sent, and not what was noted of the file', () => {
    const readBy = { name: 'mine' } as UploadOptions['readBy'];
    const document = shown(
      optionsOf({ releaseDate: AT, checklist: 'ERC1', readBy, datedBy: 'profile', edit: { changes: [] } } as never),
    );
    expect(document.options).toEqual({ ...OPTIONS, checklist: 'ERC1', releaseDate: '2024-05-01T00:00:00.000Z' });
    expect(document.checklist).toBe('ERC1');
  });

  it('counts what was read of a workbook in bytes of the file', () => {
    const readOf = (bytesRead: number, bytes: number) =>
      shown({ bytesRead, ...optionsOf({ readAs: { bytes } as UploadOptions['readAs'] } as never) }).bytesRead;
    expect([readOf(0, 1000), readOf(333, 1000), readOf(1000, 1000), readOf(1001, 1000)]).toEqual([0, 67, 200, 200]);
    expect(readOf(7, 0)).toBe(7);
  });

  it('says what interrupted it, as long as it is not at its end', () => {
    const setbacks = { outside: 1, itself: 2, since: AT - 1000, nextTry: AT + 4000 };
    expect(shown({ state: 'ACTIVE', setbacks }).setbacks).toEqual({
      workersLost: 1,
      failures: 2,
      since: '2024-04-30T23:59:59.000Z',
      nextTry: '2024-05-01T00:00:04.000Z',
      message: 'Worker lost once and processing failed twice after line 10, trying again.',
    });
    expect(shown({ setbacks })).not.toHaveProperty('setbacks');
    expect(shown({ state: 'ACTIVE' })).not.toHaveProperty('setbacks');
  });
});

describe('a batch edit', () => {
  it('says of each of its changes to how many samples it does something', () => {
    const changes = [{ set: 'tissue', values: [{ text: 'liver' }] }, { clear: 'age' }, { release: AT }];
    const issue = (code: string, column: string, count: number, severity = 'note') =>
      ({ code, column, count, severity, lines: [], message: '' }) as unknown as Submission['issues'][number];
    const issues = [
      issue('edit.already', 'Characteristics[tissue]', 3),
      issue('edit.lacking', 'Characteristics[age]', 2),
      issue('edit.already', 'Release Date', 7),
      issue('edit.already', 'Characteristics[age]', 9, 'warning'),
      issue('value.other', 'Characteristics[age]', 9),
    ];
    const edit = { changes, select: { text: 'x' }, leftOut: { count: 1, examples: ['SAMR1'] } };
    const counts = counted({ updated: 5, unchanged: 2, rejected: 2 });
    expect(shown({ ...optionsOf({ edit } as never), counts, issues }).edit).toEqual({
      select: { text: 'x' },
      leftOut: { count: 1, examples: ['SAMR1'] },
      changes: [
        { ...changes[0], changed: 4, already: 3, lacking: 0 },
        { ...changes[1], changed: 5, already: 0, lacking: 2 },
        { ...changes[2], changed: 0, already: 7, lacking: 0 },
      ],
    });
    expect(Object.keys(shown(optionsOf({ edit: { changes: [] } } as never)).edit as object)).toEqual(['changes']);
    expect(shown()).not.toHaveProperty('edit');
  });
});

describe('what can be done with a submission', () => {
  it('is nothing before its end, and to take its results as an archive at it', () => {
    expect(linksOf({ state: 'ACTIVE', counts: counted({ created: 1 }) })).toEqual([]);
    expect(linksOf({})).toEqual(['roCrate']);
    expect(linksOf({ columns: undefined as never })).toEqual([]);
  });

  it('that changed something is to undo it, once, and to see what was updated', () => {
    expect(linksOf({ counts: counted({ created: 1 }) })).toEqual(['roCrate', 'undo']);
    expect(linksOf({ counts: counted({ updated: 1 }) })).toEqual(['roCrate', 'changes', 'undo']);
    expect(linksOf({ counts: counted({ updated: 1 }) }, { undoneBy: 'u' })).toEqual(['roCrate', 'changes']);
    expect(linksOf({ counts: counted({ updated: 1 }), ...optionsOf({ undoOf: 'a' }) })).toEqual(['roCrate']);
  });

  it('that was a dry run is to carry it out, unless it could not be read or was cancelled', () => {
    const dry = { ...optionsOf({ dryRun: true }), counts: counted({ created: 1 }) };
    const problem = { code: 'file.header', message: 'No header.', retryable: false };
    expect(linksOf(dry)).toEqual(['roCrate', 'changes', 'commit']);
    expect(linksOf({ ...dry, problem })).toEqual(['roCrate', 'changes']);
    expect(linksOf({ ...dry, state: 'CANCELLED' })).toEqual(['roCrate', 'changes']);
  });

  it('of a standing sheet is to see what it lacks, and of one whose relationships may wait which do', () => {
    const standing = { withdrawn: 1 } as unknown as NonNullable<Submission['standing']>;
    expect(linksOf({ standing })).toEqual(['roCrate', 'missing', 'undo']);
    expect(linksOf({ standing, ...optionsOf({ dryRun: true }) })).toEqual(['roCrate', 'changes', 'missing', 'commit']);
    expect(linksOf(optionsOf({ relationships: 'later' }))).toEqual(['roCrate', 'openRelationships']);
    expect(linksOf(optionsOf({ relationships: 'now' }))).toEqual(['roCrate']);
  });
});
