import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ROOT } from '../support/output.js';

const MOST = 250;

it(`files of more than ${MOST} lines say at their top why they are one`, () => {
  const found = ['src', 'workers', 'web/src'].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.tsx?$/.test(name))
      .map((name) => ({ name: join(folder, name), lines: readFileSync(join(ROOT, folder, name), 'utf8').split('\n') })),
  );
  expect(found.length).toBeGreaterThan(600);
  const long = found.filter(({ lines }) => lines.length - 1 > MOST);
  expect(long.length).toBeGreaterThan(0);
  const silent = long.filter(({ lines }) => !/over 250 lines|made by/i.test(lines.slice(0, 2).join(' ')));
  expect(silent.map(({ name }) => name)).toEqual([]);
});
