/** The peers beside us, with the command lines that anyone can repeat. */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

function timed(command: string, args: string[], input?: string): number {
  const begun = performance.now();
  const { status, stderr, error } = spawnSync(command, args, { input, encoding: 'utf8' });
  if (error || status !== 0) throw new Error(`${command} ended with ${status}: ${error?.message ?? stderr}`);
  return performance.now() - begun;
}

function inFolder<T>(work: (folder: string) => T): T {
  const folder = mkdtempSync(join(tmpdir(), 'bench-peer-'));
  try {
    return work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

export const SQLITE_IMPORT = `sqlite3 peer.db '.mode tabs' '.import FILE t'`;

/** `sqlite3 .import` into one bare table: no index, no validation, no accession. Milliseconds. */
export const sqliteImport = (file: string): number =>
  inFolder((folder) => timed('sqlite3', [join(folder, 'peer.db'), '.mode tabs', `.import ${file} t`]));

export const SQLITE_SELECT = `sqlite3 -tabs peer.db 'select * from t' > FILE`;

/** What a sample says beside the cells of its row: in a sheet of it, and in its document. */
const BESIDE = {
  sheet: `'SAMR' || rowid as accession`,
  document: `'SAMR' || rowid as accession, 'admin' as account, 9606 as tax_id, 'PUBLIC' as status,
    '2026-11-23T02:12:58.006Z' as updated, '2026-11-23T02:12:58.006Z' as submitted,
    '2026-11-23T02:12:58.006Z' as created, 'FILE_UPLOADER' as via`,
};

/** With bare tables of the cells that the samples of a file have; what it is given prints those of a table, in milliseconds. */
export function withSqliteTables<T>(
  file: string,
  work: (select: (table: keyof typeof BESIDE) => number) => Promise<T>,
): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-peer-'));
  const [db, out] = [join(folder, 'peer.db'), join(folder, 'out.tsv')];
  timed('sqlite3', [db, '.mode tabs', `.import ${file} t`]);
  for (const [table, beside] of Object.entries(BESIDE)) {
    timed('sqlite3', [db, `create table ${table} as select t.*, ${beside} from t`]);
  }
  const select = (table: string): number => timed('sqlite3', ['-tabs', db, `.output ${out}`, `select * from ${table}`]);
  return work(select).finally(() => rmSync(folder, { recursive: true, force: true }));
}

export const SQLITE_UTILS = 'sqlite-utils insert peer.db t FILE --tsv';

export const sqliteUtils = (file: string): number =>
  inFolder((folder) => timed('sqlite-utils', ['insert', join(folder, 'peer.db'), 't', file, '--tsv']));

export const PSQL_COPY = `psql -c "create table raw(c1 text, … c15 text)" -c "\\copy raw from FILE with (format text, header)"`;

/** `\copy` of the raw file into one bare table of text columns. Milliseconds, the table's creation left out. */
export function psqlCopy(url: string, file: string, columns: number): number {
  const definition = Array.from({ length: columns }, (_, at) => `c${at + 1} text`).join(', ');
  execFileSync('psql', [url, '-qc', `drop table if exists bench_raw; create table bench_raw(${definition})`]);
  const ms = timed('psql', [url, '-qc', `\\copy bench_raw from ${file} with (format text, header)`]);
  execFileSync('psql', [url, '-qc', 'drop table bench_raw']);
  return ms;
}

export function hasCommand(command: string): boolean {
  return spawnSync('sh', ['-c', `command -v ${command}`]).status === 0;
}
