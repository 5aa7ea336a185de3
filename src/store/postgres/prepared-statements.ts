/**
 * Statements that each connection has PostgreSQL prepare once (docs/decisions/0181). Planning one that reads a single sample takes four
 * times as long as running it.
 */
import type pg from 'pg';

/** How long a plan may be kept: it is made for tables as large as they were then, and an empty one may have a million rows soon. */
const PLAN_MS = 1_000;

const names = new Map<string, string>();

/**
 * Declares a statement whose best plan is the same whatever its values are: it reaches a few rows of each table by their keys. Called
 * where modules are loaded, never with a text that depends on a request.
 */
export function preparedOnce(text: string): string {
  if (!names.has(text)) names.set(text, `registry_${names.size + 1}`);
  return text;
}

/** Since when connections have had plans that are kept. */
const planned = new WeakMap<pg.ClientBase, number>();

/** The name under which this connection has it prepared; undefined for statements that are planned each time. */
export function statementName(client: pg.ClientBase, text: string): string | undefined {
  const name = names.get(text);
  if (name !== undefined && !planned.has(client)) planned.set(client, performance.now());
  return name;
}

/** Outside of transactions. What is prepared stays so; it is planned anew when it is asked next. */
export async function forgetOldPlans(client: pg.ClientBase, now = performance.now()): Promise<void> {
  const since = planned.get(client);
  if (since === undefined || now - since < PLAN_MS) return;
  await client.query('discard plans');
  planned.delete(client);
}
