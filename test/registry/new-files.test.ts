/**
 * A new SQLite file has at once what the scripts have made of an empty one, step by step (docs/decisions/0190). With UPDATE_DOCS=1
 * what they make is printed anew.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { SCRIPTS } from '../../src/store/sqlite/damage.js';
import { SqliteDatabase } from '../../src/store/sqlite/database.js';
import { migrate, runScripts, scriptsOf, WHOLE_SCHEMA } from '../../src/store/sqlite/migrate.js';
import { installRowChecks } from '../../src/store/sqlite/row-checks.js';

const folder = mkdtempSync(join(tmpdir(), 'registry-new-files-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const HEADER = `-- What all scripts of this folder, and the row checks after them, make of an empty file, for new files (docs/decisions/0190).
-- Printed by UPDATE_DOCS=1 npx vitest run test/registry/new-files.
`;

interface Part {
  type: 'table' | 'index' | 'trigger' | 'view';
  name: string;
  sql: string;
}

const literal = (value: unknown): string =>
  typeof value === 'string' ? `'${value.replaceAll("'", "''")}'` : String(value);

/** Everything that a file has: its parts as they were made, the rows of its tables, its number. */
function printed(database: SqliteDatabase): string {
  const all = (sql: string): unknown[] => database.prepare(sql).all();
  const parts = all(
    "select type, name, sql from sqlite_schema where sql is not null and name not like 'sqlite_%' order by type = 'trigger', rowid",
  ) as Part[];
  const rows = parts
    .filter(({ type }) => type === 'table')
    .flatMap(({ name }) =>
      (all(`select * from ${name} order by 1`) as object[]).map(
        (row) =>
          `insert into ${name} (${Object.keys(row).join(', ')}) values (${Object.values(row).map(literal).join(', ')})`,
      ),
    );
  const statements = [...parts.map(({ sql }) => sql), ...rows, `pragma user_version = ${database.version()}`];
  return `${HEADER}${statements.map((sql) => `${sql};\n`).join('')}`;
}

function madeBy(name: string, make: (database: SqliteDatabase) => void): string {
  const database = new SqliteDatabase(join(folder, name));
  try {
    make(database);
    return printed(database);
  } finally {
    database.close();
  }
}

it.each(Object.entries(SCRIPTS))('registry.db%s begins with what its scripts make', (kind, scripts) => {
  const read = (name: string): string => readFileSync(new URL(name, scripts), 'utf8');
  const stepByStep = madeBy(`steps${kind}`, (database) =>
    database.migrate((run) => {
      runScripts(scriptsOf(scripts), 0, run, read);
      installRowChecks(database, run);
    }),
  );
  if (process.env.UPDATE_DOCS === '1') writeFileSync(new URL(WHOLE_SCHEMA, scripts), stepByStep);
  expect(read(WHOLE_SCHEMA), `${WHOLE_SCHEMA} is behind the scripts: ${HEADER}`).toBe(stepByStep);
  const atOnce = madeBy(`new${kind}`, (database) =>
    migrate(database, scripts, () => {
      throw new Error('no script was left to be run');
    }),
  );
  expect(atOnce).toBe(stepByStep);
});
