import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ROOT } from '../support/output.js';
import { document, tableRows } from './section.js';

it('docs/architecture.md says what every room and file of src is for, and names none that is gone', () => {
  const named = tableRows(document('docs/architecture.md'))
    .flatMap(([rooms = '']) => [...rooms.matchAll(/`src\/([^`]+)`/g)].map(([, name]) => name as string))
    .map((name) => new RegExp(`^${name.replaceAll('.', '\\.').replaceAll('*', '.*')}$`));
  const present = readdirSync(join(ROOT, 'src'));
  expect(present.filter((name) => !named.some((pattern) => pattern.test(name)))).toEqual([]);
  expect(named.filter((pattern) => !present.some((name) => pattern.test(name)))).toEqual([]);
});
