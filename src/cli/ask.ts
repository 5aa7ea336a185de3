import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';

/**
 * Asks on standard error; what is typed stays invisible when `hidden`.
 * @throws Error with `instead`, what to do where nobody can be asked
 */
export async function ask(
  question: string,
  { instead, hidden = false }: { instead: string; hidden?: boolean },
): Promise<string> {
  if (!process.stdin.isTTY) throw new Error(instead);
  process.stderr.write(question);
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const reader = createInterface({ input: process.stdin, output: hidden ? nowhere : process.stderr, terminal: true });
  try {
    return await reader.question('');
  } finally {
    reader.close();
    if (hidden) process.stderr.write('\n');
  }
}
