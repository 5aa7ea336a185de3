import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ROOT } from '../support/output.js';
import { document, tableRows } from './section.js';

const rows = tableRows(document('SECURITY.md')).filter(([item]) => /^\d+\.\d+\.\d+$/.test(item ?? ''));

it('SECURITY.md says of each requirement what holds it', () => {
  expect(rows.length).toBeGreaterThan(40);
  expect(new Set(rows.map(([item]) => item)).size).toBe(rows.length);
});

it.each(rows.filter(([, , held]) => held?.startsWith('`')))(
  'the test that holds %s is there (%s)',
  (_item, _asks, held) => {
    const [, path, name] = /^`([^`]+)`: (.+?)(?: \(.+\))?$/.exec(held as string) ?? [];
    const file = join(ROOT, path as string);
    expect(existsSync(file), file).toBe(true);
    expect(readFileSync(file, 'utf8'), `${path} has no test "${name}"`).toContain(name);
  },
);

it.each(rows.filter(([, , held]) => !held?.startsWith('`')))(
  '%s is held by words that are there (%s)',
  (_item, _asks, held) => {
    const section = /\*(.+)\*/.exec(held as string)?.[1];
    expect(document('SECURITY.md')).toContain(`## ${section}`);
  },
);
