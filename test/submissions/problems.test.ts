/** Why a submission fails, as it is recorded: the file's fault, or one that passes when somebody has seen to it. */
import { describe, expect, it } from 'vitest';
import { type ErrorCode, RegistryError } from '../../src/registry/errors.js';
import { asProblem, fileProblem, isLost, noRows, unexpected } from '../../src/submissions/processing/problems.js';
import type { Submission, UploadOptions } from '../../src/submissions/submission.js';
import type { Claim } from '../../src/submissions/submission-store.js';
import type { ReadAs } from '../../src/submissions/uploads/read-as.js';
import { NO_ROWS } from '../../src/tsv/header/header.js';

const optionsOf = (readAs?: ReadAs): UploadOptions => (readAs ? { readAs } : {}) as UploadOptions;
const sheet = { sheet: 'Plate 1', bytes: 9 };

describe('what is wrong with a file', () => {
  it.each([
    [undefined, 'Line 4 is broken.'],
    [sheet, 'Sheet "Plate 1" of the workbook: Line 4 is broken.'],
    [{ ...sheet, sheet: 'x'.repeat(300) }, `Sheet "${'x'.repeat(100)}" of the workbook: Line 4 is broken.`],
    [{ ...sheet, archived: true }, 'File "Plate 1" of the archive: Line 4 is broken.'],
    [{ ...sheet, isa: true }, 'Line 4 is broken.'],
  ] as const)('is said with what was read of it: %o', (readAs, message) => {
    const error = new RegistryError('file.encoding', 'Line 4 is broken.', { extra: { line: 4, column: 'organism' } });
    const problem = { code: 'file.encoding', message, retryable: false, line: 4, column: 'organism' };
    expect(fileProblem(error, optionsOf(readAs))).toEqual(problem);
    expect(asProblem(error, optionsOf(readAs))).toEqual(problem);
  });

  it('has a place only where that is known', () => {
    const error = new RegistryError('file.header', 'No names.', { extra: { line: '4', column: 7 } });
    expect(fileProblem(error, {})).toEqual({ code: 'file.header', message: 'No names.', retryable: false });
    expect(fileProblem(new RegistryError('file.header', 'No names.'), {})).toEqual(fileProblem(error, {}));
  });

  it('is nothing but a fault of the file: every other error goes on to whoever asked', () => {
    for (const error of [new Error('file.header'), new RegistryError('storage.full', 'Full.'), 'file.header'])
      expect(() => fileProblem(error, {})).toThrow(error instanceof Error ? error.message : error);
    const unknown = new RegistryError('file.of-tomorrow' as ErrorCode, 'Not known yet.');
    expect(() => fileProblem(unknown, {})).toThrow('Not known yet.');
  });

  it.each([
    [undefined, undefined, NO_ROWS],
    [undefined, sheet, `Sheet "Plate 1" of the workbook: ${NO_ROWS}`],
    ['lines', undefined, 'The file holds no samples; add one object for each sample and upload it again.'],
  ] as const)('may be that it has no rows (samples as JSON: %s, read as %o)', (json, readAs, message) => {
    const columns = json === undefined ? {} : { columns: { json } };
    const submission = { options: optionsOf(readAs), ...columns } as unknown as Submission;
    expect(noRows(submission)).toEqual({ code: 'file.empty', message, retryable: false });
  });
});

describe('what interrupts processing', () => {
  it.each([
    ['submission.outcomes-gone', false],
    ['storage.full', true],
    ['storage.damaged', true],
    ['service.unavailable', true],
    ['not-found', true],
  ] as const)('%s: going on makes sense: %s', (code, retryable) => {
    const problem = { code, message: 'As it was said.', retryable };
    expect(asProblem(new RegistryError(code, 'As it was said.'), optionsOf(sheet))).toEqual(problem);
  });

  it.each(['checklist.unknown', 'checklist.unreadable'] as const)(
    '%s passes when who runs the site has seen to it, and says what else can be done',
    (code) => {
      const problem = asProblem(new RegistryError(code, 'As it was said.'), optionsOf(sheet));
      expect(problem).toMatchObject({ code, retryable: true });
      expect(problem?.message).toMatch(/^As it was said\. What is left .* or cancel it and send the file with another/);
    },
  );

  it.each(['EMFILE', 'ENFILE', 'ENOMEM', 'EAGAIN', 'EIO', 'EROFS', 'SQLITE_IOERR_READ', 'SQLITE_CANTOPEN'])(
    'may be the machine: %s',
    (code) => {
      const problem = asProblem(Object.assign(new Error('as the system says it'), { code }), optionsOf(sheet));
      expect(problem).toMatchObject({ code: 'service.unavailable', retryable: true });
      expect(problem?.message).toContain(`(${code})`);
    },
  );

  it.each([
    Object.assign(new Error('gone'), { code: 'ENOENT' }),
    Object.assign(new Error('double'), { code: 'SQLITE_CONSTRAINT' }),
    'EMFILE',
    new Error('file.header'),
    new RegistryError('conflict', 'No.'),
    new RegistryError('claim.lost', 'Gone.'),
  ])('has no name of its own: %o', (error) => expect(asProblem(error, optionsOf())).toBeUndefined());

  it('is quoted by a number where nobody knows what it was', () => {
    expect(unexpected({ submission: { cursor: 41 } } as Claim, 'f00d')).toEqual({
      code: 'internal',
      message:
        'Something went wrong here after line 41. Send the file again to go on; if it happens again, quote f00d.',
      retryable: true,
    });
  });

  it('is another worker that has taken over', () => {
    const lost = new RegistryError('claim.lost', 'Gone.');
    expect([isLost(lost), isLost(new RegistryError('conflict', 'No.')), isLost({ code: 'claim.lost' })]).toEqual([
      true,
      false,
      false,
    ]);
  });
});
