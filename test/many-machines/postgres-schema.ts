/** A schema per test on the PostgreSQL that the run was given; dropped when the file is done. */
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { service } from '../support/services.js';

const made: string[] = [];

/** Address of a store of its own, empty. */
export function freshSchemaUrl(base = service('postgres')): string {
  const url = new URL(base);
  const schema = `t_${randomBytes(6).toString('hex')}`;
  made.push(schema);
  url.searchParams.set('schema', schema);
  url.searchParams.set('pool', '5');
  return url.href;
}

/** For afterAll. */
export async function dropSchemas(base = process.env.TEST_POSTGRES_URL): Promise<void> {
  if (base === undefined || made.length === 0) return;
  const client = new pg.Client(base);
  await client.connect();
  for (const schema of made.splice(0)) await client.query(`drop schema if exists ${schema} cascade`);
  await client.end();
}
