import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { STATUS } from '../../src/http/problem.js';
import { ERRORS } from '../../src/registry/errors.js';
import { ROW_ISSUES } from '../../src/tsv/rows/issues.js';
import { ROOT } from '../support/output.js';
import { document, tableRows } from './section.js';

const [requests = '', rows = ''] = document('docs/errors.md').split('## Codes of rows');

it('docs/errors.md lists every code of a request with its status, and no other', () => {
  const listed = tableRows(requests).map(([code = '', status]) => [code.slice(1, -1), Number(status)]);
  expect(listed).toEqual(Object.entries(STATUS));
  expect(Object.keys(STATUS).toSorted()).toEqual(Object.keys(ERRORS).toSorted());
});

it('each of them says when it comes and what to do', () => {
  for (const [code, , when, fix] of tableRows(requests)) expect([code, when?.length, fix?.length]).not.toContain(0);
});

/** Codes of the checklists' and of the warnings, as they stand in the source. */
function codesInSource(family: RegExp): string[] {
  const files = ['src/tsv', 'src/checklists', 'src/registry'].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((name) => join(ROOT, folder, name)),
  );
  const text = files
    .filter((path) => path.endsWith('.ts'))
    .map((path) => readFileSync(path, 'utf8'))
    .join('\n');
  return [...new Set(text.match(family))].map((code) => code.slice(1, -1));
}

it('docs/errors.md lists every code of a row with what to do, and no other', () => {
  const listed = tableRows(rows).map(([code = '', when, fix]) => {
    expect([code, when?.length, fix?.length]).not.toContain(0);
    return code.slice(1, -1);
  });
  const checklists = codesInSource(/'checklist\.(?!unreadable)[a-z-]+'/g);
  const warnings = codesInSource(/'suspect\.[a-z-]+'/g);
  expect(checklists.length).toBeGreaterThan(5);
  expect(warnings.length).toBeGreaterThan(5);
  expect(listed.toSorted()).toEqual([...Object.keys(ROW_ISSUES), ...checklists, ...warnings].toSorted());
});
