/** Samples, curations and structured data as zod schemas: strict, so that a member that nobody described is noticed by the tests. */
import { z } from 'zod';
import { SAMPLE_STATUSES } from '../../registry/samples/sample.js';
import { COUNT, links, SELF, TIME } from './document-parts.js';

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
  status: z.enum(SAMPLE_STATUSES),
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

const BIOSAMPLE = z.strictObject({ id: z.string() }).catchall(z.unknown()).describe('A biosample of Phenopackets 2.0.');

export const SAMPLE_IN_FORMAT = z
  .union([
    SAMPLE,
    BIOSAMPLE,
    z
      .strictObject({ studies: z.array(z.unknown()) })
      .catchall(z.unknown())
      .describe('An investigation of ISA-JSON.'),
  ])
  .describe('A sample, or what `format` asks for.');

export const VALIDATED_SAMPLE = z
  .strictObject(SAMPLE_MEMBERS)
  .describe('The sample that was checked, as it would be stored.');

export const EXPORTED_SAMPLE = z
  .strictObject({ ...SAMPLE_MEMBERS, accession: z.string(), submissionAccountId: z.string() })
  .describe('A line of a whole result: a sample without links.');

export const EXPORTED_LINE = z
  .union([
    EXPORTED_SAMPLE,
    BIOSAMPLE,
    z.strictObject({ schemaVersion: z.string() }).catchall(z.unknown()).describe('Metadata of DataCite.'),
  ])
  .describe('A line of a whole result: a sample, or what `format` asks for.');

export const BULK_RECEIPT = z
  .strictObject({
    samples: z.array(EXPORTED_SAMPLE),
    errors: z.array(
      z.strictObject({
        sampleName: z.string(),
        errors: z.array(z.strictObject({ dataPath: z.string(), errors: z.array(z.string()) })),
      }),
    ),
  })
  .describe('What was written, and what is wrong with the others.');

const FACETS = z
  .strictObject({
    samples: COUNT,
    characteristics: z.array(
      z.strictObject({
        name: z.string(),
        samples: COUNT,
        filter: z.string(),
        values: z.array(z.strictObject({ value: z.string(), samples: COUNT, filter: z.string() })),
        others: COUNT.optional(),
        rangesOf: z.enum(['numbers', 'dates']).optional(),
        ranges: z
          .array(
            z.strictObject({
              from: z.union([z.number(), z.string()]).optional(),
              below: z.union([z.number(), z.string()]).optional(),
              samples: COUNT,
              filter: z.string(),
            }),
          )
          .optional(),
      }),
    ),
    notIndexed: z.int().min(1).optional(),
    notCounted: z.int().min(1).optional(),
  })
  .describe(
    'Counts of all samples that are found and that the caller may read: `samples` in all; of each characteristic how many have it, the most frequent values, how many `others` there are, and ranges where at least half of them have numbers or dates. `filter` finds what was counted. `notIndexed`: changes that the counts may leave out. `notCounted`: samples with more than 250 characteristics, or 100 values of one, of which only the first are counted.',
  );

export const SAMPLE_PAGE = z
  .strictObject({
    _embedded: z.strictObject({ samples: z.array(SAMPLE) }).optional(),
    _links: links('self', 'first', 'prev', 'next', 'last', 'sample'),
    page: z
      .strictObject({
        size: COUNT,
        totalElements: COUNT,
        totalPages: COUNT,
        number: COUNT,
        totalIsMinimum: z.literal(true).optional(),
      })
      .optional(),
    notIndexed: z.int().min(1).optional(),
    damaged: z.array(z.string()).optional(),
    facets: FACETS.optional(),
  })
  .describe(
    'A page of samples. `damaged`: accessions that belong on the page and cannot be read, since what is stored of them was damaged on the disk; absent when there are none. `notIndexed`: changes that very large writes have left waiting for the index, and that this answer may leave out; absent when it is complete. `totalIsMinimum`: there are as many samples as `totalElements` or more.',
  );

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
    declined: TIME.optional(),
    hash: z.string(),
    applied: z.boolean().optional(),
    missing: z
      .array(z.string())
      .optional()
      .describe(
        'Pointers to the entries that it would take away and that the sample does not have: why it is not applied.',
      ),
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

export const CURATION_LIST = z
  .strictObject({
    _embedded: z.strictObject({ curations: z.array(CURATION) }).optional(),
    _links: links('self', 'next', 'curation'),
  })
  .describe('A page of curations; it may be empty and still have a next one.');
