import { expect, it } from 'vitest';
import { STATUS } from '../../src/http/problem.js';
import { ERRORS } from '../../src/registry/errors.js';
import { document, tableRows } from './section.js';

const [requests = ''] = document('docs/errors.md').split('## Codes of rows');

it('docs/errors.md lists every code of a request with its status, and no other', () => {
  const listed = tableRows(requests).map(([code = '', status]) => [code.slice(1, -1), Number(status)]);
  expect(listed).toEqual(Object.entries(STATUS));
  expect(Object.keys(STATUS).toSorted()).toEqual(Object.keys(ERRORS).toSorted());
});

it('each of them says when it comes and what to do', () => {
  for (const [code, , when, mend] of tableRows(requests)) expect([code, when?.length, mend?.length]).not.toContain(0);
});
