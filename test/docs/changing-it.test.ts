/** docs/changing-it.md says where everyday changes go; the code says whether that is so. Links: links.test.ts. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from '../support/output.js';
import { document } from './section.js';

const SECTIONS = document('docs/changing-it.md')
  .split(/^## /m)
  .slice(1)
  .map((text) => ({
    title: text.slice(0, text.indexOf('\n')),
    example: /^Example: `(.+)`\.$/m.exec(text)?.[1],
    files: [...text.matchAll(/\]\(\.\.\/((?:src|workers|web\/src)\/[^)]+\.tsx?)\)/g)].map(([, path]) => path as string),
  }));

/** Files of the source in which a text occurs; the types made from the description do not count. */
function occurrences(text: string): string[] {
  return ['src', 'workers', 'web/src']
    .flatMap((room) =>
      readdirSync(join(ROOT, room), { recursive: true, encoding: 'utf8' }).map((name) => `${room}/${name}`),
    )
    .filter((path) => /\.tsx?$/.test(path) && !path.endsWith('.d.ts'))
    .filter((path) => readFileSync(join(ROOT, path), 'utf8').includes(text));
}

it('tells of thirteen changes', () => {
  expect(SECTIONS.map(({ title }) => title)).toEqual([
    'An upload option',
    'A row issue',
    'A column kind',
    'An endpoint',
    'A setting',
    'A store method',
    'A migration',
    'A view',
    'A checklist rule',
    'A queue adapter',
    'The receipt',
    'A metric',
    'A command',
  ]);
});

describe('the example of a change stands where the document says and nowhere else', () => {
  it.each(SECTIONS.filter(({ example }) => example !== undefined))('$title', ({ example, files }) => {
    expect(occurrences(example as string).sort()).toEqual([...files].sort());
  });

  it('for most of the changes', () => {
    expect(SECTIONS.filter(({ example }) => example !== undefined).length).toBeGreaterThanOrEqual(9);
  });
});

it.each([
  ['An upload option', 4],
  ['A column kind', 6],
  ['An endpoint', 4],
])('%s touches at most %i files', (title, most) => {
  const { files = [] } = SECTIONS.find((section) => section.title === title) ?? {};
  expect(files.length).toBeGreaterThan(0);
  expect(files.length).toBeLessThanOrEqual(most);
});
