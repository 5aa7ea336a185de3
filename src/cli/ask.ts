import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';

/** Asks on standard error; what is typed stays invisible when `hidden`. */
export async function ask(question: string, { hidden = false } = {}): Promise<string> {
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
