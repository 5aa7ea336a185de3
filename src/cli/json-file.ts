import { readFile } from 'node:fs/promises';

/**
 * A file that somebody wrote as JSON; the mark that some editors put before its first character is none of it.
 * @throws Error naming the file and what is wrong; `advice`: what to do
 */
export async function readJsonFile(path: string, advice: string): Promise<unknown> {
  const text = (await readFile(path, 'utf8')).replace(/^\uFEFF/, '');
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Error(`${path} is no JSON document: ${(error as Error).message}. ${advice}`);
  }
}
