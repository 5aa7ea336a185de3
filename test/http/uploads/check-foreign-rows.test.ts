/** Rows of a sheet of another format, checked and sent by themselves: they are read as the whole sheet was. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ReportDocument, reportOf } from '../../../web/src/api/issues.js';
import { fixedRows, withEdits } from '../../../web/src/submission/fixing/fixing.js';
import { type Service, startService } from '../service.js';

const sheet = (rows: string[][]): string => rows.map((cells) => `${cells.join('\t')}\n`).join('');

const SHEETS = {
  'an ENA spreadsheet with units': {
    text: sheet([
      ['tax_id', 'scientific_name', 'sample_alias', 'sample_title', 'depth', 'Release Date'],
      ['#units', '', '', '', 'm', ''],
      ['410658', 'soil metagenome', 'core-1', 'Core 1', '0.5', '2024-01-01'],
      ['410658', 'soil metagenome', 'core-2', 'Core 2', '1.5', '21/11/2024'],
    ]),
    line: 4,
    characteristics: {
      organism: [{ text: 'soil metagenome', ontologyTerms: ['410658'] }],
      sample_title: [{ text: 'Core 2' }],
      depth: [{ text: '1.5', unit: 'm' }],
    },
  },
  'a SampleTab file': {
    text: `[MSI]\nSubmission Title\tx\n[SCD]\n${sheet([
      ['Sample Name', 'Organism', 'Term Source REF', 'Term Source ID', 'x', 'Release Date'],
      ['m-1', 'Mus musculus', 'NCBITaxon', '10090', '1', '2024-01-01'],
      ['m-2', 'Mus musculus', 'NCBITaxon', '10090', '2', '21/11/2024'],
    ])}`,
    line: 6,
    characteristics: {
      Organism: [{ text: 'Mus musculus', ontologyTerms: ['NCBITaxon:10090'] }],
      x: [{ text: '2' }],
    },
  },
};

describe.each(Object.entries(SHEETS))('a bad row of %s', (_, { text, line, characteristics }) => {
  let service: Service;
  let token: string;
  beforeAll(async () => {
    service = await startService();
    token = await service.token('lab-1');
  });
  afterAll(() => service.stop());

  it('is checked as it is changed, and is the sample that its sheet means when it is sent alone', async () => {
    const { id, status } = await service.uploadAndSettle(text, { token });
    expect(status.counts).toMatchObject({ created: 1, rejected: 1 });
    const answer = await service.get(`/submissions/${id}/errors?format=json`, { token });
    const report = reportOf(answer.json<ReportDocument>());
    const [bad] = report.rows;
    expect(bad?.line).toBe(line);
    const column = report.columns.indexOf('Release Date');
    const edit = { line, column, text: '2024-11-21', original: '21/11/2024' };
    const cells = bad?.cells.map((cell, at) => (at === column ? edit.text : cell));
    const checked = await service.send('POST', `/submissions/${id}/check`, { rows: [{ line, cells }] }, { token });
    expect([checked.status, checked.json()]).toEqual([200, { rows: [{ line, issues: [] }] }]);

    const fixed = await service.uploadAndSettle(fixedRows(report, withEdits(new Map(), [edit])), { token });
    const [pair] = (await service.mapping(fixed.id, token)).sampleNameAccessionPairs;
    const stored = (await service.get(`/samples/${pair?.sampleAccession}`, { token })).json();
    expect(stored).toMatchObject({ characteristics });
  });
});
