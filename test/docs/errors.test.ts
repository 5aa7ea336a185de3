import { expect, it } from 'vitest';
import { STATUS } from '../../src/http/problem.js';
import { ERRORS } from '../../src/registry/errors.js';
import { ISSUES } from '../../src/registry/issue-codes.js';
import { document, expectSection, tableRows } from './section.js';

it('docs/errors.md lists every code of a request with its status, and no other', () => {
  const [requests = ''] = document('docs/errors.md').split('## Codes of rows');
  const listed = tableRows(requests).map(([code = '', status]) => [code.slice(1, -1), Number(status)]);
  expect(listed).toEqual(Object.entries(STATUS));
  expect(Object.keys(STATUS).toSorted()).toEqual(Object.keys(ERRORS).toSorted());
  for (const [code, , when, fix] of tableRows(requests)) expect([code, when?.length, fix?.length]).not.toContain(0);
});

it('docs/errors.md lists every code of a row as the catalogue has it', () => {
  const rows = Object.entries(ISSUES).map(
    ([code, { severity, when, fix }]) => `| \`${code}\` | ${severity} | ${when} | ${fix} |`,
  );
  const table = ['| code | severity | when | what to do |', '|---|---|---|---|', ...rows].join('\n');
  expectSection('docs/errors.md', 'codes of rows', table);
});
