/** The service's answers as zod schemas: strict, so that a member that nobody described is noticed by the tests. */
import { z } from 'zod';
import { SCOPES } from '../../auth/account-store.js';
import { ADMIN_STATUSES } from '../../registry/sample.js';
import { SUBMISSION_PHASES, SUBMISSION_STATES } from '../../submissions/submission.js';

const TIME = z
  .string()
  .regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  .describe('ISO 8601, UTC, milliseconds.');
const COUNT = z.int().min(0);
const LINK = z.strictObject({ href: z.string(), templated: z.literal(true).optional() });
const links = <Name extends string>(...names: Name[]) => z.partialRecord(z.enum(names as [Name, ...Name[]]), LINK);
const SELF = links('self');

const ENTRY = z.strictObject({
  text: z.string().optional(),
  ontologyTerms: z.array(z.string()).optional(),
  unit: z.string().optional(),
  unitOntologyTerms: z.array(z.string()).optional(),
});
const RELATIONSHIP = z.strictObject({ source: z.string().optional(), type: z.string(), target: z.string() });
const REFERENCE = z.strictObject({ url: z.string(), duo: z.array(z.string()) });
const RECORDS = z.array(z.record(z.string(), z.string()));

const TABLE = z.strictObject({
  domain: z.string().nullable(),
  submissionAccountId: z.string().nullable(),
  type: z.string(),
  schema: z.string().nullable(),
  content: z.array(z.record(z.string(), z.strictObject({ value: z.string(), iri: z.string().nullable() }))),
});

const SAMPLE_MEMBERS = {
  name: z.string(),
  accession: z.string().optional(),
  domain: z.string().optional(),
  submissionAccountId: z.string().optional(),
  taxId: z.int().optional(),
  status: z.enum(['PUBLIC', 'PRIVATE', ...ADMIN_STATUSES]),
  release: TIME,
  update: TIME,
  submitted: TIME.optional(),
  characteristics: z.record(z.string(), z.array(ENTRY)),
  relationships: z.array(RELATIONSHIP).optional(),
  externalReferences: z.array(REFERENCE).optional(),
  submittedVia: z.enum(['JSON_API', 'FILE_UPLOADER']),
  create: TIME,
  data: z.array(TABLE).optional(),
  contact: RECORDS.optional(),
  organization: RECORDS.optional(),
  publications: RECORDS.optional(),
};

export const SAMPLE = z
  .strictObject({
    ...SAMPLE_MEMBERS,
    accession: z.string(),
    submissionAccountId: z.string(),
    _links: links('self', 'applyCurations', 'curationLinks', 'curationLink', 'structuredData'),
  })
  .describe('A sample as it is stored, or as curations make it look.');

export const VALIDATED_SAMPLE = z
  .strictObject(SAMPLE_MEMBERS)
  .describe('The sample that was checked, as it would be stored.');

export const SAMPLE_PAGE = z
  .strictObject({
    _embedded: z.strictObject({ samples: z.array(SAMPLE) }).optional(),
    _links: links('self', 'first', 'prev', 'next', 'last', 'sample'),
    page: z.strictObject({ size: COUNT, totalElements: COUNT, totalPages: COUNT, number: COUNT }).optional(),
  })
  .describe('A page of samples.');

export const HISTORY = z
  .strictObject({
    _embedded: z.strictObject({
      versions: z.array(
        z.strictObject({
          version: z.int().min(1),
          update: TIME,
          submissionAccountId: z.string(),
          submittedVia: z.enum(['JSON_API', 'FILE_UPLOADER']),
          submissionId: z.string().optional(),
          line: z.int().optional(),
          _links: SELF,
        }),
      ),
    }),
    _links: links('self', 'sample'),
  })
  .describe('Every version of a sample, newest first.');

const ATTRIBUTE = z.strictObject({
  type: z.string(),
  value: z.string(),
  iri: z.array(z.string()).optional(),
  unit: z.string().optional(),
  tag: z.string().optional(),
});

export const CURATION = z
  .strictObject({
    attributesPre: z.array(ATTRIBUTE),
    attributesPost: z.array(ATTRIBUTE),
    externalReferencesPre: z.array(REFERENCE),
    externalReferencesPost: z.array(REFERENCE),
    relationshipsPre: z.array(RELATIONSHIP),
    relationshipsPost: z.array(RELATIONSHIP),
    hash: z.string(),
    _links: SELF.optional(),
  })
  .describe('What is taken away (Pre) and put in its place (Post).');

export const CURATION_LINK = z
  .strictObject({
    sample: z.string(),
    curation: CURATION,
    domain: z.string().nullable(),
    submissionAccountId: z.string().nullable(),
    created: TIME,
    hash: z.string(),
    applied: z.boolean().optional(),
    _links: links('self', 'sample', 'curation'),
  })
  .describe('A curation of one sample by one account.');

export const CURATION_LINK_PAGE = z
  .strictObject({
    _embedded: z.strictObject({ curationLinks: z.array(CURATION_LINK) }).optional(),
    _links: links('self', 'first', 'prev', 'next', 'last', 'sample'),
    page: z.strictObject({ size: COUNT, totalElements: COUNT, totalPages: COUNT, number: COUNT }),
  })
  .describe('The curations of a sample, in the order in which they apply.');

export const STRUCTURED_DATA = z
  .strictObject({
    accession: z.string(),
    create: TIME,
    update: TIME,
    data: z.array(TABLE),
    _links: links('self', 'sample').optional(),
  })
  .describe('Tables attached to a sample.');

const ISSUE_GROUP = z.strictObject({
  code: z.string(),
  column: z.string().optional(),
  columnLetter: z.string().optional(),
  count: COUNT,
  lines: z.array(z.int()),
  message: z.string(),
  severity: z.enum(['error', 'warning']),
});

export const COUNTS = z.strictObject({
  rows: COUNT,
  created: COUNT,
  updated: COUNT,
  unchanged: COUNT,
  rejected: COUNT,
});

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
    counts: COUNTS,
    bytesRead: COUNT,
    queuePosition: COUNT.optional(),
    attempts: COUNT,
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
  code: z.string(),
  value: z.string().optional(),
  message: z.string(),
  suggestion: z.string().optional(),
  severity: z.enum(['error', 'warning']),
});

export const REJECTED_ROWS = z
  .strictObject({
    submissionId: z.uuid(),
    counts: COUNTS,
    rejected: z.array(
      z.strictObject({
        line: z.int().min(1),
        cells: z.array(z.strictObject({ column: z.string(), value: z.string() })),
        issues: z.array(ISSUE),
      }),
    ),
    warnings: z.array(ISSUE),
  })
  .describe('Every rejected row with its cells and what is wrong in them, and the warnings of the good rows.');

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
  .describe('Every cell that the rows of a dry run would change.');

const TOKEN_MEMBERS = {
  id: z.uuid(),
  account: z.string(),
  name: z.string(),
  scopes: z.array(z.enum(SCOPES)),
  created: TIME,
  expires: TIME.optional(),
  lastUsed: TIME.optional(),
  revoked: z.boolean(),
};

export const TOKEN_MADE = z
  .strictObject({ token: z.string(), ...TOKEN_MEMBERS })
  .describe('A new token; its text is shown only this once.');

export const TOKEN_LIST = z
  .strictObject({
    _embedded: z.strictObject({ tokens: z.array(z.strictObject(TOKEN_MEMBERS)) }).optional(),
    _links: SELF,
  })
  .describe('Tokens, newest first, without their texts.');

export const ME = z
  .strictObject({
    account: z.string(),
    scopes: z.array(z.enum(SCOPES)),
    signedInBy: z.enum(['token', 'cookie', 'identity-provider']),
  })
  .describe('The account that asks.');

export const SESSION = z
  .strictObject({ account: z.string(), scopes: z.array(z.enum(SCOPES)) })
  .describe('Who has signed in.');

export const ROOT = z
  .strictObject({ _links: links('samples', 'curations', 'submissions') })
  .describe('Where to start.');

export const CURATIONS_ROOT = z
  .strictObject({ _links: links('self', 'curation') })
  .describe('How curations are addressed.');

export const LIVE = z.strictObject({ status: z.literal('up') }).describe('The process answers.');

export const READY = z
  .strictObject({ status: z.enum(['up', 'down']), checks: z.record(z.string(), z.enum(['up', 'down'])) })
  .describe('Whether the parts behind the service can be used.');

export const PROBLEM_TYPE = z
  .strictObject({ code: z.string(), status: z.int(), title: z.string() })
  .describe('What a problem code means.');

export const PROBLEM = z
  .looseObject({
    type: z.string(),
    title: z.string(),
    status: z.int().min(400).max(599),
    detail: z.string(),
    code: z.string(),
    message: z.string(),
    errors: z.array(z.strictObject({ dataPath: z.string(), errors: z.array(z.string()).min(1) })).optional(),
  })
  .describe('Why a request was refused (RFC 9457). For invalid content, every fault at once.');

export const CHECKLIST = z
  .looseObject({ id: z.string(), title: z.string() })
  .describe('Rules that a community lays down for samples.');

export const CHECKLIST_LIST = z
  .looseObject({
    _embedded: z.looseObject({ checklists: z.array(CHECKLIST) }).optional(),
    _links: z.record(z.string(), LINK),
  })
  .describe('The checklists that this service knows.');
