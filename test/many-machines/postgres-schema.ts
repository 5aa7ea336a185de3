/** A schema per test, or a database, on the PostgreSQL that the run was given; dropped when the file is done. */
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { service } from '../support/services.js';

const made: string[] = [];
const databases: string[] = [];
const newName = (): string => `t_${randomBytes(6).toString('hex')}`;

/** Address of a store of its own, empty. */
export function freshSchemaUrl(base = service('postgres')): string {
  const url = new URL(base);
  const schema = newName();
  made.push(schema);
  url.searchParams.set('schema', schema);
  url.searchParams.set('pool', '5');
  return url.href;
}

/**
 * The same in a database of its own. The stores of a database have some locks in common: what one of them numbers or indexes meanwhile
 * has the next one wait, or come again later.
 */
export async function freshDatabaseUrl(base = service('postgres')): Promise<string> {
  const name = newName();
  await onServer(base, (client) => client.query(`create database ${name}`));
  databases.push(name);
  const url = new URL(base);
  url.pathname = `/${name}`;
  return freshSchemaUrl(url.href);
}

/** For afterAll. */
export async function dropSchemas(base = process.env.TEST_POSTGRES_URL): Promise<void> {
  if (base === undefined || made.length === 0) return;
  await onServer(base, async (client) => {
    for (const database of databases.splice(0)) await client.query(`drop database if exists ${database} with (force)`);
    for (const schema of made.splice(0)) await client.query(`drop schema if exists ${schema} cascade`);
  });
}

async function onServer(url: string, work: (client: pg.Client) => Promise<unknown>): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  await work(client).finally(() => client.end());
}
