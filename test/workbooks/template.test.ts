import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { openChecklists } from '../../src/checklists/open.js';
import { checklistTemplate } from '../../src/workbooks/template.js';
import { readSheet } from '../tsv/read-sheet.js';

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** Rules of one checklist `c`, whose characteristics all need a unit: any, or one of those given. */
function needingUnits(units: Record<string, string[] | undefined>) {
  const folder = mkdtempSync(join(tmpdir(), 'checklists-'));
  folders.push(folder);
  const properties = Object.fromEntries(
    Object.entries(units).map(([name, list]) => {
      const unit = list ? { type: 'string', enum: list } : { type: 'string', minLength: 1 };
      const members = { text: { type: 'string', pattern: '^[+-]?\\d+(\\.\\d+)?$' }, unit };
      return [name, { type: 'array', items: { type: 'object', required: ['text', 'unit'], properties: members } }];
    }),
  );
  const schema = { type: 'object', properties: { characteristics: { type: 'object', properties } } };
  writeFileSync(join(folder, 'c.json'), JSON.stringify(schema));
  return openChecklists(folder);
}

async function textOf(rules: ReturnType<typeof openChecklists>, id: string): Promise<string> {
  const { bytes } = await checklistTemplate(rules, id, { format: 'tsv' });
  return bytes.toString('utf8');
}

describe('templates', () => {
  it('give each characteristic an example unit that makes sense for it', async () => {
    const wanted: Record<string, [string[] | undefined, string]> = {
      'geographic location (latitude)': [undefined, 'decimal degree'],
      longitude: [undefined, 'decimal degree'],
      'host age': [['seconds', 'days', 'years'], 'years'],
      age: [undefined, 'year'],
      pH: [undefined, 'none'],
      'soil pH': [undefined, 'none'],
      'air temperature': [['K', '°C'], '°C'],
      depth: [['cm', 'm'], 'm'],
      'host total mass': [undefined, 'kg'],
      viscosity: [undefined, 'not applicable'],
      'sample volume or weight': [['mL'], 'mL'],
    };
    const rules = needingUnits(Object.fromEntries(Object.entries(wanted).map(([name, [list]]) => [name, list])));
    const [header = [], example = []] = (await textOf(rules, 'c')).split(/\r?\n/).map((line) => line.split('\t'));
    for (const [name, [, unit]] of Object.entries(wanted)) {
      expect(example[header.indexOf(`Characteristics[${name}]`) + 1], name).toBe(unit);
    }
  });

  it('have an example row that is refused until it is replaced or deleted, beside good rows', async () => {
    const text = await textOf(openChecklists(), 'plant');
    const { rejected, samples } = await readSheet(text);
    expect(samples).toEqual([]);
    expect(rejected.map(({ issues }) => issues.map(({ line, code, column }) => ({ line, code, column })))).toEqual([
      [{ line: 2, code: 'name.example', column: 'Sample Name' }],
    ]);
    expect(rejected[0]?.issues[0]?.message).toMatch(/example row of the template.*[Rr]eplace it.*delete the row/);
  });
});
