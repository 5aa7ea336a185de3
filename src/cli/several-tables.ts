/** Of a file that holds several tables of samples: which they are, and what their results are called. */
import { safeBase } from '../client/documents.js';
import { RefusedError, type UnavailableError } from '../client/failures.js';
import type { RegistryClient } from '../client/registry-client.js';

/** Sheets of a workbook that name samples, where several do. Whatever is wrong with the file is said when it is uploaded. */
export async function tablesOf(client: RegistryClient, file: string): Promise<readonly string[]> {
  try {
    return (await client.proposeProfile(file)).tables ?? [];
  } catch (error) {
    if (error instanceof RefusedError) return [];
    throw error;
  }
}

/** The tables of an archive that was refused because it has several. */
export function tablesNamed({ problem }: RefusedError | UnavailableError): string[] {
  const tables = problem?.tables;
  return Array.isArray(tables) ? tables.map(String) : [];
}

/** Of each table a file name of its own, however alike the tables are called. */
export function savedNames(tables: readonly string[]): string[] {
  const taken = new Set<string>();
  return tables.map((table) => {
    const base = safeBase(table);
    let name = base;
    for (let number = 2; taken.has(name.toLowerCase()); number++) name = `${base}-${number}`;
    taken.add(name.toLowerCase());
    return name;
  });
}
