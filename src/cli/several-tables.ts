/** Of a file that holds several tables of samples: which they are, and what their results are called. */
import { safeBase } from '../client/documents.js';
import { RefusedError, type UnavailableError } from '../client/failures.js';
import type { RegistryClient } from '../client/registry-client.js';

/**
 * Sheets of a workbook that name samples, where several do. Whatever is wrong with the file is said when it is uploaded.
 * @throws RefusedError it is too large to be looked into, so that nobody knows its sheets
 */
export async function tablesOf(client: RegistryClient, file: string): Promise<readonly string[]> {
  try {
    return (await client.proposeProfile(file)).tables ?? [];
  } catch (error) {
    if (!(error instanceof RefusedError)) throw error;
    if (error.problem.code !== 'file.too-large') return [];
    const detail =
      'The workbook is too large for its sheets to be listed: upload them one by one, each named with --sheet.';
    throw new RefusedError({ ...error.problem, detail });
  }
}

/** The tables of an archive that was refused because it has several. */
export function tablesNamed({ problem }: RefusedError | UnavailableError): string[] {
  const tables = problem?.tables;
  return Array.isArray(tables) ? tables.map(String) : [];
}

/** Of each table a file name of its own, however alike the tables are called. */
export const savedNames = (tables: readonly string[]): string[] => namesApart(tables.map(safeBase));

/** The names with a number where one is there already, also in other capitals. */
export function namesApart(names: readonly string[]): string[] {
  const taken = new Set<string>();
  return names.map((base) => {
    let name = base;
    for (let number = 2; taken.has(name.toLowerCase()); number++) name = `${base}-${number}`;
    taken.add(name.toLowerCase());
    return name;
  });
}
