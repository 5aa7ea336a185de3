import { describe, expect, it } from 'vitest';
import { recordOfDocument, sampleRecordDocument } from '../../../src/registry/changes/change-record.js';
import { sampleDocument } from '../../../src/registry/samples/representation.js';
import { emptyContent, type SampleContent, type StoredSample } from '../../../src/registry/samples/sample.js';
import { checklistDocument } from '../../../src/registry/samples/sample-rules.js';
import { curationLink } from '../../many-machines/store-samples.js';

const NOW = 10_000;
const iso = (ms: number) => new Date(ms).toISOString();
const content: SampleContent = {
  ...emptyContent(),
  domain: 'd',
  relationships: [
    { type: 't', target: 'SAMR2' },
    { source: 'SAMR3', type: 'u', target: 'SAMR7' },
  ],
  externalReferences: [{ url: 'u' }, { url: 'v', duo: ['DUO:1'] }],
  contact: [{ Name: 'Ada' }],
  organization: [{ Name: 'Lab' }],
  publications: [{ doi: '10.1/x' }],
};
content.characteristics.organism = [{ text: 'human', ontologyTerms: ['NCBITaxon:9606'] }];
const sample: StoredSample = {
  id: 7,
  name: 'n',
  release: NOW,
  content,
  account: 'ada',
  author: 'bo',
  via: 'JSON_API',
  line: 3,
  version: 2,
  created: 1000,
  updated: 3000,
  submitted: 2000,
};
const table = {
  domain: null,
  account: 'ada',
  type: 't',
  schema: 's',
  content: [{ a: { value: '1', iri: null } }],
  created: 4000,
  updated: 5000,
};

describe('the document of a sample', () => {
  const documentOf = (changes: Partial<StoredSample> = {}, alias?: string) => {
    const of = { ...sample, ...changes };
    return sampleDocument(of, of.content, [], { prefix: 'SAMR', accountFieldAlias: alias, now: NOW });
  };

  it('has its members in a fixed order, with what follows from them filled in', () => {
    const document = sampleDocument(sample, content, [table], { prefix: 'SAMR', now: NOW });
    expect(Object.entries(document)).toEqual([
      ['name', 'n'],
      ['accession', 'SAMR7'],
      ['domain', 'd'],
      ['submissionAccountId', 'ada'],
      ['taxId', 9606],
      ['status', 'PUBLIC'],
      ['release', iso(NOW)],
      ['update', iso(3000)],
      ['submitted', iso(2000)],
      ['characteristics', content.characteristics],
      [
        'relationships',
        [
          { source: 'SAMR7', type: 't', target: 'SAMR2' },
          { source: 'SAMR3', type: 'u', target: 'SAMR7' },
        ],
      ],
      [
        'externalReferences',
        [
          { url: 'u', duo: [] },
          { url: 'v', duo: ['DUO:1'] },
        ],
      ],
      ['submittedVia', 'JSON_API'],
      ['create', iso(1000)],
      ['data', [{ domain: null, submissionAccountId: 'ada', type: 't', schema: 's', content: table.content }]],
      ['contact', [{ Name: 'Ada' }]],
      ['organization', [{ Name: 'Lab' }]],
      ['publications', [{ doi: '10.1/x' }]],
    ]);
  });

  it('leaves out what is empty', () => {
    expect(Object.keys(documentOf({ content: emptyContent() }))).toEqual([
      'name',
      'accession',
      'submissionAccountId',
      'status',
      'release',
      'update',
      'submitted',
      'characteristics',
      'submittedVia',
      'create',
    ]);
  });

  it('has the account under a second name where there is one, and says of a placeholder when it was made', () => {
    expect(documentOf({}, 'webinSubmissionAccountId')).toMatchObject({
      submissionAccountId: 'ada',
      webinSubmissionAccountId: 'ada',
    });
    const { submitted: _, ...placeholder } = sample;
    expect(sampleDocument(placeholder, content, [], { prefix: 'SAMR', now: NOW }).submitted).toBe(iso(1000));
  });

  it('for checklists has no more than the sample itself says', () => {
    expect(checklistDocument({ name: 'n', content })).toEqual({
      name: 'n',
      taxId: 9606,
      characteristics: content.characteristics,
      relationships: [
        { type: 't', target: 'SAMR2' },
        { source: 'SAMR3', type: 'u', target: 'SAMR7' },
      ],
      externalReferences: [
        { url: 'u', duo: [] },
        { url: 'v', duo: ['DUO:1'] },
      ],
      contact: [{ Name: 'Ada' }],
      organization: [{ Name: 'Lab' }],
      publications: [{ doi: '10.1/x' }],
    });
    expect(checklistDocument({ name: 'n', release: NOW, content: emptyContent() })).toEqual({
      name: 'n',
      release: iso(NOW),
      characteristics: {},
    });
  });
});

describe('the record of a sample, for those who keep a copy', () => {
  const links = [curationLink('l', {}), { ...curationLink('m', {}), declined: 6000 }];
  const record = { sample, curationLinks: links, structuredData: [table] };
  const owner = { account: 'ada', admin: false, scopes: [] };

  it('comes back as it was for its owner, whatever of it is there', () => {
    const { submitted: _, line: __, ...bare } = sample;
    const records = [
      record,
      { ...record, sample: { ...sample, adminStatus: 'KILLED' as const } },
      { sample: bare, curationLinks: [], structuredData: [] },
    ];
    for (const each of records)
      expect(recordOfDocument(JSON.parse(JSON.stringify(sampleRecordDocument(each, 'SAMR7', owner))), 7)).toEqual(each);
  });

  it('has times that people read, and nothing of its history for others', () => {
    const shown = sampleRecordDocument(record, 'SAMR7', undefined);
    expect(shown).toMatchObject({
      accession: 'SAMR7',
      account: 'ada',
      name: 'n',
      release: iso(NOW),
      created: iso(1000),
      updated: iso(3000),
      submitted: iso(2000),
      via: 'JSON_API',
      curationLinks: [
        { hash: 'l', created: iso(1) },
        { hash: 'm', declined: iso(6000) },
      ],
      structuredData: [{ type: 't', created: iso(4000), updated: iso(5000) }],
    });
    for (const member of ['version', 'author', 'line', 'adminStatus']) expect(shown).not.toHaveProperty(member);
    expect(shown.curationLinks[0]).not.toHaveProperty('declined');
    expect(recordOfDocument(shown, 7).sample).toMatchObject({ version: 1, author: 'ada' });
  });
});
