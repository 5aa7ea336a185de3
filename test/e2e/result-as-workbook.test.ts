/** The result of a text file as a workbook: what spreadsheets change in text stands there as it was, and goes back in. */
import { beforeAll, describe, expect, it } from 'vitest';
import { SharedServer } from '../support/shared-server.js';
import { unzipped } from '../support/unzipped.js';

const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
const TOUCHY = ['007', '1E5', 'SEPT2', '=1+1', '-5', '12345678901234567890', '1/2', 'TRUE', '_x0041_', 'a\r\nb "c"'];
const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;

let server: SharedServer;
let token: string;
beforeAll(async () => {
  server = await SharedServer.of('result-as-workbook');
  token = await server.token('lab-workbook');
});

const sheetOf = async (bytes: Buffer): Promise<string> =>
  (await unzipped(bytes)).get('xl/worksheets/sheet1.xml')?.toString() ?? '';
const textsIn = (xml: string): (string | undefined)[] =>
  [...xml.matchAll(/<t xml:space="preserve">([^<]*)</g)].map(([, text]) => text);

const upload = (text: string, name = 'codes.tsv') =>
  server.uploadAndSettle(text, { name, token, options: { releaseDate: '2031-01-01' } });
const header = 'Sample Name\tCharacteristics[code]\n';

describe('a result as a workbook', () => {
  it('says each cell as text, as the text file says it', async () => {
    const { id } = await upload(
      `${header}${TOUCHY.map((code, at) => `c ${at}\t${quoted(code)}\n`).join('')}bad\t#REF!\n`,
    );
    const answer = await server.get(`/submissions/${id}/result`, { token, headers: { accept: XLSX } });
    expect(answer.headers.get('content-type')).toBe(XLSX);
    expect(answer.headers.get('content-disposition')).toContain('"codes.result.xlsx"');
    const sheet = await sheetOf(answer.bytes);
    expect(sheet).not.toMatch(/<v>|<f>/);
    const first = /<row r="1">(.*?)<\/row>/.exec(sheet)?.[1] ?? '';
    expect(textsIn(first)).toEqual(['Sample Name', 'Characteristics[code]', 'Release Date', 'Sample Identifier']);
    expect(
      [...sheet.matchAll(/<c r="B\d+"[^>]*>(.*?)<\/c>/gs)]
        .slice(1, TOUCHY.length)
        .flatMap(([, cell = '']) => textsIn(cell)),
    ).toEqual([...TOUCHY.slice(0, 8), '_x005F_x0041_']);
    const again = await server.uploadAndSettle(answer.bytes, { name: 'codes.xlsx', token });
    expect(again.status.counts).toMatchObject({ created: 0, updated: 0, unchanged: TOUCHY.length + 1, rejected: 0 });
  });

  it('leaves out a row that Excel could not open, and says which', { tags: 'slow' }, async () => {
    const { id } = await upload(`${header}short\tx\nlong\t${'y'.repeat(32_768)}\n`);
    const { bytes } = await server.get(`/submissions/${id}/result?format=xlsx`, { token });
    const sheet = await sheetOf(bytes);
    expect(sheet).toContain('>Rows left out<');
    expect(sheet).toContain('>lines 3<');
    expect(sheet).not.toContain('yyy');
    const again = await server.uploadAndSettle(bytes, { name: 'codes.xlsx', token });
    expect(again.status.counts).toMatchObject({ rows: 1, unchanged: 1 });
  });

  it('is refused of samples that came as JSON, with where to go, and in forms that there are not', {
    tags: 'slow',
  }, async () => {
    const { id } = await upload('{"name":"j","release":"2031-01-01"}\n', 'samples.ndjson');
    const refused = await server.get(`/submissions/${id}/result?format=xlsx`, { token });
    expect(refused.status).toBe(406);
    expect(refused.json()).toMatchObject({ detail: expect.stringContaining(`submission=${id}&format=xlsx`) });
    expect((await server.get(`/submissions/${id}/result?format=ods`, { token })).status).toBe(400);
  });
});
