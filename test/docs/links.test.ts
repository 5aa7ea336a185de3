import { existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { ROOT } from '../support/output.js';
import { document } from './section.js';

const documents = [
  ...readdirSync(ROOT).filter((name) => name.endsWith('.md')),
  ...readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => join('docs', name)),
  'samples-tsv/README.md',
];

it.each(documents)('every file that %s links to is there', (path) => {
  const targets = [...document(path).matchAll(/\]\((?!https?:|#|mailto:)([^)#\s]+)/g)].map(
    ([, target]) => target as string,
  );
  const gone = targets.filter((target) => !existsSync(join(ROOT, dirname(path), target)));
  expect(gone).toEqual([]);
});

it('the commands of the README are those of package.json', () => {
  const { scripts } = JSON.parse(document('package.json')) as { scripts: Record<string, string> };
  const named = [...document('README.md').matchAll(/npm (?:run )?(test|start|[a-z]+)\b/g)].map(
    ([, name]) => name as string,
  );
  expect(named.filter((name) => name !== 'in' && !(name in scripts))).toEqual([]);
  expect(named.length).toBeGreaterThan(8);
});
