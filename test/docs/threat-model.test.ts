import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ROOT } from '../support/output.js';
import { document, tableRows } from './section.js';

const rows = tableRows(document('docs/threat-model.md')).filter((cells) => cells.length === 4 && cells[0] !== 'who');

it('the threat model names for each threat a bound and tests that are there', () => {
  expect(rows.length).toBeGreaterThan(10);
  for (const [who, what, bound, tests] of rows) {
    const files = [...(tests ?? '').matchAll(/`(test\/[^`]+)`/g)].map(([, path]) => path as string);
    expect(files.length, `${who}: ${what}`).toBeGreaterThan(0);
    expect(bound).not.toBe('');
    for (const path of files) expect(existsSync(join(ROOT, path)), path).toBe(true);
  }
});
