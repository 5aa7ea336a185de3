/** Submissions as zod schemas: strict, so that a member that nobody described is noticed by the tests. Over 250 lines: a list of members. */
import { z } from 'zod';
import { ISSUE_CODES, ROW_ISSUE_CODES } from '../../registry/issue-codes.js';
import { MAX_CHECKED_ROWS } from '../../submissions/reading/check-rows.js';
import { SUBMISSION_PHASES, SUBMISSION_STATES } from '../../submissions/submission.js';
import { COUNT, LINK, links, TIME } from './document-parts.js';

const ISSUE_GROUP = z.strictObject({
  code: z.enum(ISSUE_CODES),
  column: z.string().optional(),
  columnLetter: z.string().optional(),
  count: COUNT,
  lines: z.array(z.int()),
  message: z.string(),
  severity: z.enum(['error', 'warning', 'note']).describe('A note is counted, and nothing to be looked at.'),
});

const COUNTS = z.strictObject({
  rows: COUNT,
  created: COUNT,
  updated: COUNT,
  unchanged: COUNT,
  rejected: COUNT,
});

const HEADER_LIST = z.strictObject({
  count: COUNT,
  headers: z.array(z.string()).describe('The first 100, each cut at 100 characters.'),
});

const SHEET_COLUMNS = z
  .strictObject({
    profile: z
      .strictObject({ name: z.string(), title: z.string(), version: COUNT.optional() })
      .optional()
      .describe('The import profile that says what the columns are, named or found by the columns.'),
    fromPlainHeaders: HEADER_LIST.describe(
      'Columns kept as characteristics of that name because their plain header is no word of ISA-Tab.',
    ),
    notStored: HEADER_LIST.describe('Columns that are not stored in the samples.'),
    nothingStored: z.boolean().describe('True when no column holds anything but names, identifiers and dates.'),
    json: z
      .enum(['lines', 'array', 'edit'])
      .optional()
      .describe(
        'The file is no sheet but samples as JSON: an object on each line, or an array; or a batch edit, with what is changed on its first line.',
      ),
  })
  .describe('What becomes of the columns of the sheet.');

const SETBACKS = z
  .strictObject({ workersLost: COUNT, failures: COUNT, since: TIME, nextTry: TIME, message: z.string() })
  .describe('What interrupted processing since it last got further, and when it is tried again.');

const EDIT = z
  .strictObject({
    select: z
      .strictObject({
        text: z.string().optional(),
        filter: z.array(z.string()).optional(),
        accessions: COUNT.optional().describe('How many were named one by one.'),
        all: z.literal(true).optional(),
      })
      .optional()
      .describe('Which samples were asked for; absent where they came as a file.'),
    leftOut: z
      .strictObject({ count: COUNT, examples: z.array(z.string()).describe('Accessions of some of them.') })
      .optional()
      .describe('Samples that the search found as well and that belong to other accounts.'),
    changes: z.array(
      z.looseObject({
        changed: COUNT.describe('Samples that it changes.'),
        already: COUNT.describe('Samples that have it already.'),
        lacking: COUNT.describe('Samples that lack what it renames or clears.'),
      }),
    ),
  })
  .describe('Of a batch edit: each change as it was sent, with how many samples it concerns.');

export const STANDING = z
  .looseObject({
    decision: z
      .enum(['WAITING', 'STOPPED', 'COMMITTED'])
      .optional()
      .describe('Of a plan: it waits to be committed, something is above a ceiling, or it carries itself out.'),
    message: z.string().optional().describe('Which ceiling stopped it, and what can be done.'),
    samples: COUNT.optional().describe('Samples of the key space, less those that are withdrawn and not in the file.'),
    missing: COUNT.optional().describe('Of those, the ones that the export does not have.'),
    commit: z.uuid().optional().describe('The submission that carries the plan out.'),
    withdrawn: COUNT.optional().describe('Of a commit: missing samples that it withdrew.'),
    left: COUNT.optional().describe('Missing samples that it left, because they were changed after the plan.'),
  })
  .describe('Of a standing sheet: its plan, once that has ended, and its commit.');

export const SUBMISSION = z
  .looseObject({
    submissionId: z.uuid(),
    submissionStatus: z.enum(SUBMISSION_STATES),
    phase: z.enum(SUBMISSION_PHASES),
    submissionDate: TIME,
    lastUpdateDate: TIME,
    submitterDetails: z.string(),
    fileName: z.string(),
    fileSize: COUNT,
    sha256: z.string().regex(/^[\da-f]{64}$/),
    checklist: z.string().optional(),
    options: z.record(z.string(), z.unknown()),
    columns: SHEET_COLUMNS.optional(),
    edit: EDIT.optional(),
    counts: COUNTS,
    standing: STANDING.optional(),
    becomePublic: COUNT.describe(
      'Samples that were there before, were not public, and became so; of a dry run, those that would. New samples do not count.',
    ),
    createdPublic: COUNT.describe('Of the created samples, those that are public from the start.'),
    bytesRead: COUNT,
    queuePosition: COUNT.optional(),
    attempts: COUNT,
    setbacks: SETBACKS.optional(),
    undoneBy: z.uuid().describe('The submission that takes this one back, or has done so.').optional(),
    committedBy: z.uuid().describe('The submission that carries this dry run out, or has done so.').optional(),
    problem: z.looseObject({ code: z.string(), message: z.string(), retryable: z.boolean() }).optional(),
    issues: z.array(ISSUE_GROUP),
    _links: z.record(z.string(), LINK),
  })
  .describe('An uploaded file and what became of it.');

export const SUBMISSION_PAGE = z
  .strictObject({
    _embedded: z.strictObject({ submissions: z.array(SUBMISSION) }).optional(),
    _links: links('self', 'next'),
  })
  .describe('A page of submissions, newest first.');

export const ISA_DOCUMENT = z
  .union([z.looseObject({ investigation: z.looseObject({}) }), z.looseObject({ studies: z.array(z.unknown()) })])
  .describe('The ISA-JSON document that was uploaded, with accessions.');

export const SUBMISSION_OR_ISA = z.union([SUBMISSION, ISA_DOCUMENT]);

const STEP = z.strictObject({
  key: z.string(),
  where: z.strictObject({ key: z.string(), value: z.string() }).optional(),
});

export const RECEIPT = z
  .strictObject({
    targetRepository: z.string(),
    info: z.array(z.strictObject({ name: z.string(), message: z.string() })),
    accessions: z.array(z.strictObject({ path: z.array(STEP), value: z.string() })).optional(),
    errors: z
      .array(
        z.strictObject({
          type: z.enum(['INVALID_METADATA']),
          message: z.string(),
          path: z.array(STEP).optional(),
        }),
      )
      .optional(),
    status: z.strictObject({ statusUrl: z.string(), id: z.string() }).optional(),
  })
  .describe('The receipt of ELIXIR MARS.');

export const MAPPING = z
  .looseObject({
    submissionId: z.uuid(),
    submissionStatus: z.enum(SUBMISSION_STATES),
    sampleNameAccessionPairs: z.array(z.strictObject({ sampleName: z.string(), sampleAccession: z.string() })),
  })
  .describe('Sample names and the accessions that they got.');

const ISSUE = z.strictObject({
  line: z.int().min(1),
  column: z.string().optional(),
  columnLetter: z.string().optional(),
  code: z.enum(ROW_ISSUE_CODES),
  value: z.string().optional(),
  message: z.string(),
  suggestion: z.string().optional(),
  severity: z.enum(['error', 'warning']),
});

export const REJECTED_ROWS = z
  .strictObject({
    submissionId: z.uuid(),
    counts: COUNTS,
    head: z
      .array(z.array(z.string()))
      .describe(
        'The rows at the top of the sheet, as a sheet of some of its rows needs them: the header is one of them.',
      ),
    rejected: z.array(
      z.strictObject({
        line: z.int().min(1),
        cells: z.array(z.strictObject({ column: z.string(), value: z.string() })),
        issues: z.array(ISSUE),
      }),
    ),
    warned: z.array(
      z.strictObject({
        line: z.int().min(1),
        accession: z.string().optional(),
        cells: z.array(z.strictObject({ column: z.string(), value: z.string() })),
        issues: z.array(ISSUE),
      }),
    ),
    warnings: z.array(ISSUE),
  })
  .describe(
    'Every rejected row with its cells and what is wrong in them; the good rows with warnings, with their cells and their accession where they were registered; and the warnings alone.',
  );

export const CHANGED_ROWS = z
  .strictObject({
    rows: z
      .array(
        z.strictObject({
          line: z.int('must be a whole number.').min(1, 'must be 1 or more.'),
          cells: z.array(z.string('must be a text.')).max(10_000, 'must be at most 10 000 cells.'),
        }),
        'must be a list of rows.',
      )
      .min(1, 'must hold a row.')
      .max(MAX_CHECKED_ROWS, `must hold at most ${MAX_CHECKED_ROWS} rows.`),
  })
  .describe('Rows of the sheet as they were changed: the line of each and a text per column.');

export const CHECKED_ROWS = z
  .strictObject({
    rows: z.array(z.strictObject({ line: z.int().min(1), issues: z.array(ISSUE) })),
  })
  .describe('What is wrong in each of the rows; an empty list where nothing is.');

export const MISSING = z
  .strictObject({
    submissionId: z.uuid(),
    standing: STANDING,
    missing: z.array(z.strictObject({ accession: z.string(), key: z.string().optional(), name: z.string() })),
  })
  .describe('Samples that a standing sheet has no more, in the order of their accessions.');

export const OPEN_RELATIONSHIPS = z
  .strictObject({
    submissionId: z.uuid(),
    openRelationships: z.array(
      z.strictObject({
        line: z.int().min(1),
        accession: z.string().describe('Of the sample that waits.'),
        type: z.string(),
        name: z.string().describe('Of the sample that is still to come.'),
      }),
    ),
  })
  .describe('Relationships that wait for samples of these names, in the order of the accessions.');

export const CHANGES = z
  .strictObject({
    submissionId: z.uuid(),
    counts: COUNTS,
    changes: z.array(
      z.strictObject({
        line: z.int().min(1),
        accession: z.string(),
        column: z.string(),
        before: z.string().optional(),
        after: z.string().optional(),
      }),
    ),
  })
  .describe('Every cell that the rows of a dry run would change, or those of an upload have changed.');
