/**
 * Brings a PostgreSQL schema to its newest form: `NNNN_name.sql` in order of their numbers, each exactly once.
 *
 * Processes of two versions run side by side during an upgrade. So a script only adds (columns with defaults, tables,
 * indexes made concurrently); what an older program can no longer live with comes in the release after, in a script
 * that begins with `-- needs programs that know NNNN`.
 */
import { readdirSync, readFileSync } from 'node:fs';
import type { PostgresDatabase, Session } from './database.js';

/** Of the advisory lock that one migrating process holds. */
const LOCK = 7_263_401;

interface Script {
  number: number;
  name: string;
  text: string;
  /** Oldest schema number that a program must know to run on what this script leaves. */
  needs: number;
}

interface State {
  version: number;
  needs: number;
}

const STATE = 'select coalesce(max(number), 0) as version, coalesce(max(needs), 0) as needs from migration';

/** Who finds everything done waits for nobody, and writes nothing: whole results and searches open the store, too. */
export async function migrate(database: PostgresDatabase, folder: URL): Promise<void> {
  const scripts = readScripts(folder);
  const newest = scripts.at(-1)?.number ?? 0;
  const present = await database.read(async (session) => {
    const [table] = await session.rows<{ made: boolean }>('select to_regclass($1) is not null as made', [
      `${database.schema}.migration`,
    ]);
    return table?.made ? session.one<State>(STATE) : undefined;
  });
  requireKnown(present, newest);
  if (present && present.version >= newest) return;
  const bring = async (session: Session): Promise<void> => {
    await session.run('select pg_advisory_xact_lock($1)', [LOCK]);
    const there = await session.one('select 1 from pg_namespace where nspname = $1', [database.schema]);
    // Asked to make one that is there, PostgreSQL wants the right to make one.
    if (there === undefined) await session.run(`create schema ${database.schema}`);
    await session.run(
      'create table if not exists migration (number int primary key, name text not null, needs int not null, applied timestamptz not null default now())',
    );
    const state = await session.one<State>(STATE);
    requireKnown(state, newest);
    for (const script of scripts) if (script.number > (state?.version ?? 0)) await apply(session, script);
  };
  await database.write(bring, { unhurried: true });
}

function requireKnown(state: State | undefined, newest: number): void {
  if (state === undefined || state.needs <= newest) return;
  throw new Error(
    `the store has schema ${state.version}, which needs programs that know ${state.needs}; this one knows ${newest}: start the newer program`,
  );
}

async function apply(session: Session, { number, name, text, needs }: Script): Promise<void> {
  await session.run(text);
  await session.run('insert into migration (number, name, needs) values ($1, $2, $3)', [number, name, needs]);
}

function readScripts(folder: URL): Script[] {
  return readdirSync(folder)
    .filter((name) => /^\d{4}_\w+\.sql$/.test(name))
    .sort()
    .map((name) => {
      const text = readFileSync(new URL(name, folder), 'utf8');
      const needs = /^-- needs programs that know (\d{4})$/m.exec(text)?.[1];
      return { number: Number(name.slice(0, 4)), name, text, needs: Number(needs ?? 0) };
    });
}
