/** Cells that take a value away: in merge mode of the sample, anywhere else they are empty. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { submissionIdOf } from '../../support/api-caller.js';
import { type Service, startService } from '../service.js';

interface Sample {
  name: string;
  release: string;
  characteristics: Record<string, { text: string; unit?: string }[]>;
  externalReferences?: { url: string }[];
  relationships?: { type: string; target: string }[];
}

let service: Service;
let token: string;
beforeAll(async () => {
  service = await startService();
  token = await service.token('lab');
});
afterAll(() => service.stop());

const HEAD = [
  'Sample Identifier',
  'Sample Name',
  'Release Date',
  'Characteristics[age]',
  'Unit',
  'Characteristics[tissue]',
  'Comment[external DB REF]',
  'Comment[bsd_relationship:derived from]',
];

async function upload(rows: string[][], options: Record<string, string> = {}) {
  const text = `${[HEAD, ...rows].map((row) => row.join('\t')).join('\n')}\n`;
  const { id, status } = await service.uploadAndSettle(text, { token, options: { duplicate: 'allow', ...options } });
  return { id, counts: status.counts };
}
const stored = async (accession: string) => (await service.get(`/samples/${accession}`, { token })).json<Sample>();
const errors = async (id: string) => (await service.get(`/submissions/${id}/errors`, { token })).text;

let parent: string;
let made = 0;
async function registered(): Promise<string> {
  const body = {
    name: `full ${made++}`,
    release: '2020-01-01',
    characteristics: { age: [{ text: '7', unit: 'year' }], tissue: [{ text: 'liver' }], sex: [{ text: 'male' }] },
    externalReferences: [{ url: 'https://example.org/1' }],
    relationships: [{ type: 'derived from', target: parent }],
  };
  return (await service.send('POST', '/samples', body, { token })).json<{ accession: string }>().accession;
}
beforeAll(async () => {
  const body = { name: 'parent', release: '2020-01-01' };
  parent = (await service.send('POST', '/samples', body, { token })).json<{ accession: string }>().accession;
});

describe('[clear] where update=merge', () => {
  it('takes away a characteristic with its unit, references and relationships, and nothing else', async () => {
    const accession = await registered();
    const row = [accession, `full ${made - 1}`, '', '[clear]', '', '', ' [CLEAR] ', '[Clear]'];
    const { id, counts } = await upload([row], { update: 'merge' });
    expect([counts, await errors(id)]).toEqual([
      expect.objectContaining({ updated: 1, rejected: 0 }),
      expect.anything(),
    ]);
    const sample = await stored(accession);
    expect(sample.characteristics).toEqual({ sex: [{ text: 'male' }], tissue: [{ text: 'liver' }] });
    expect(sample.externalReferences ?? []).toEqual([]);
    expect(sample.relationships ?? []).toEqual([]);
    const again = await upload([row], { update: 'merge' });
    expect(again.counts).toMatchObject({ updated: 0, unchanged: 1 });
  });

  it('is shown by a dry run, carried out by its commit, and taken back by an undo', async () => {
    const accession = await registered();
    const dry = await upload([[accession, `full ${made - 1}`, '', '[clear]']], { update: 'merge', dryRun: 'true' });
    const changes = (await service.get(`/submissions/${dry.id}/changes`, { token })).text;
    expect(changes).toContain('age');
    expect(changes).not.toContain('[clear]');
    expect((await stored(accession)).characteristics.age).toBeDefined();
    const committed = submissionIdOf(await service.send('POST', `/submissions/${dry.id}/commit`, {}, { token }));
    expect((await service.settled(committed, token)).submissionStatus).toBe('COMPLETED');
    expect((await stored(accession)).characteristics).toEqual({ sex: [{ text: 'male' }], tissue: [{ text: 'liver' }] });
    const undone = submissionIdOf(await service.send('POST', `/submissions/${committed}/undo`, {}, { token }));
    expect((await service.settled(undone, token)).submissionStatus).toBe('COMPLETED');
    expect((await stored(accession)).characteristics.age).toEqual([{ text: '7', unit: 'year' }]);
  });

  it('says that a unit alone is not taken away, and what takes it away', async () => {
    const accession = await registered();
    const name = `full ${made - 1}`;
    const { id, counts } = await upload([[accession, name, '', '', '[clear]', 'liver']], { update: 'merge' });
    expect(counts).toMatchObject({ updated: 0, unchanged: 1 });
    const { issues } = await service.settled(id, token);
    expect(issues).toMatchObject([{ code: 'clear.unit-alone', severity: 'warning', column: 'Unit', lines: [2] }]);
    expect(issues[0]?.message).toContain('Write the value into Characteristics[age] again');
    const silent = await upload([[accession, name, '', '7', '[clear]', 'liver']], { update: 'merge' });
    expect((await service.settled(silent.id, token)).issues).toEqual([]);
    expect((await stored(accession)).characteristics.age).toEqual([{ text: '7' }]);
    const whole = await upload([[accession, name, '', '[clear]', '[clear]']], { update: 'merge' });
    const replaced = await upload([[accession, name, '', '', '[clear]', 'liver']]);
    const fresh = await upload([['', 'fresh', '2020-01-01', '', '[clear]']], { update: 'merge' });
    for (const each of [whole, replaced, fresh]) {
      const codes = (await service.settled(each.id, token)).issues.map(({ code }: { code: string }) => code);
      expect(codes).not.toContain('clear.unit-alone');
    }
  });

  it('takes neither name, release nor identifier away', async () => {
    const accession = await registered();
    const name = `full ${made - 1}`;
    const rows = [
      [accession, '[clear]', ''],
      [accession, name, '[clear]'],
      ['[clear]', name, '2020-01-01'],
    ];
    for (const row of rows) {
      const { id, counts } = await upload([row], { update: 'merge' });
      expect([row, counts.rejected, counts.created]).toEqual([row, 1, 0]);
      expect(await errors(id)).toMatch(/Sample Name|Release Date|Sample Identifier/);
    }
    expect((await stored(accession)).name).toBe(name);
    const keyed = await upload([['', 'keyed', '2020-01-01', '', '', '[clear]']], { key: 'Characteristics[tissue]' });
    expect(keyed.counts).toMatchObject({ created: 0, rejected: 1 });
    expect(await errors(keyed.id)).toContain('by which the rows are known again');
  });

  it('is another text, or none, where the upload says so', async () => {
    const accession = await registered();
    const name = `full ${made - 1}`;
    await upload([[accession, name, '', '', '', '[clear]']], { update: 'merge', clearMarker: 'none' });
    expect((await stored(accession)).characteristics.tissue).toEqual([{ text: '[clear]' }]);
    await upload([[accession, name, '', '', '', 'Weg!']], { update: 'merge', clearMarker: 'weg!' });
    expect((await stored(accession)).characteristics.tissue).toBeUndefined();
  });
});

describe('[clear] anywhere else', () => {
  it.each(['replace', 'merge'])('is an empty cell of a new sample (update=%s)', async (update) => {
    const { id, counts } = await upload(
      [['', `new ${update}`, '2020-01-01', '[clear]', 'year', 'liver', '[clear]', '[clear]']],
      {
        update,
      },
    );
    expect(counts).toMatchObject({ created: 1, rejected: 0 });
    const [pair] = (await service.mapping(id, token)).sampleNameAccessionPairs;
    const sample = await stored(pair?.sampleAccession as string);
    expect(sample.characteristics).toEqual({ tissue: [{ text: 'liver' }] });
    expect(sample.externalReferences ?? []).toEqual([]);
  });

  it('is an empty cell of a sample that is overwritten', async () => {
    const accession = await registered();
    await upload([[accession, `full ${made - 1}`, '', '[clear]', '', 'liver']]);
    expect((await stored(accession)).characteristics).toEqual({ tissue: [{ text: 'liver' }] });
  });

  it('is found in the rows of a block that hold it, and in no other', async () => {
    const rows = Array.from({ length: 150 }, (_, at) => [
      '',
      `row ${at}`,
      '2020-01-01',
      '',
      '',
      at % 7 === 3 ? '[clear]' : `[m] ${at}`,
    ]);
    const { id } = await upload(rows);
    const { sampleNameAccessionPairs: pairs } = await service.mapping(id, token);
    expect(pairs).toHaveLength(150);
    for (const { sampleName, sampleAccession } of pairs.slice(0, 20)) {
      const at = Number(sampleName.slice(4));
      const { tissue } = (await stored(sampleAccession)).characteristics ?? {};
      expect([at, tissue]).toEqual([at, at % 7 === 3 ? undefined : [{ text: `[m] ${at}` }]]);
    }
  });
});

it('samples that say [clear] are left out of sheets that would take it away, however they came', async () => {
  const body = { name: 'says so', release: '2020-01-01', characteristics: { remark: [{ text: '[Clear]' }] } };
  const lab = await service.token('marker-lab');
  const { accession } = (await service.send('POST', '/samples', body, { token: lab })).json<{ accession: string }>();
  const rows =
    'Sample Name\tRelease Date\tCharacteristics[remark]\nof a sheet\t2020-01-01\t[clear]\nplain\t2020-01-01\tclear\n';
  const { id } = await service.uploadAndSettle(rows, { token: lab, options: { clearMarker: 'none' } });
  const [ofSheet] = (await service.mapping(id, lab)).sampleNameAccessionPairs;
  const sheet = (await service.get('/samples/export?filter=account:marker-lab&format=tsv', { token: lab })).text;
  const leftOut = [...sheet.matchAll(/^# (\S+) is left out/gm)].map(([, named]) => named);
  expect(leftOut).toEqual([accession, ofSheet?.sampleAccession]);
  expect(sheet).toContain('\tplain\t');
});
