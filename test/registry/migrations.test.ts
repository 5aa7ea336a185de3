/** Two scripts with one number would leave one of them out in a store that has run the other. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { WHOLE_SCHEMA } from '../../src/store/sqlite/migrate.js';
import { ROOT } from '../support/output.js';

it.each(['sqlite/migrations', 'sqlite/search-migrations', 'postgres/migrations'])(
  'the scripts of %s are numbered from 1, each number once',
  (folder) => {
    const scripts = readdirSync(join(ROOT, 'src/store', folder)).filter((name) => name !== WHOLE_SCHEMA);
    const numbers = scripts.map((name) => Number(name.slice(0, 4)));
    expect(numbers.sort((one, other) => one - other)).toEqual(numbers.map((_, at) => at + 1));
  },
);
