/** Other people beside an attack: a process that reads and, with a token, uploads, searches and is notified. */
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { Tally } from './mixed-load.js';

const PROGRAM = fileURLToPath(new URL('others-process.ts', import.meta.url));

export interface Others {
  url: string;
  /** Addresses that are read, `perSecond` of them. */
  paths: string[];
  perSecond: number;
  /** So many are answered before they end, whenever they are asked to. */
  atLeast?: number;
  /** Of the account that also uploads one small file after the other and searches. */
  token?: string;
}

export interface Answers {
  reads: Tally;
  uploads: Tally;
  searches: Tally;
  /** From the answer of an upload to the delivery of its webhook. */
  webhooks: Tally;
  /** From the answer of an upload to the last search that did not find its samples. */
  found: Tally;
  /** Submissions that were accepted. */
  ids: string[];
}

interface Plain {
  answers: [status: number, ms: number][];
  failures: string[];
}

export interface Beside {
  /** When `atLeast` reads are answered. */
  enough: AbortSignal;
  end(): Promise<Answers>;
}

/** Resolves when they have begun. Without a token all answers but `reads` are empty. */
export async function othersBeside(others: Others): Promise<Beside> {
  const child = spawn(process.execPath, ['--import', 'tsx', PROGRAM, JSON.stringify(others)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const begun = await lines.next();
  if (begun.value !== BEGUN) throw new Error(`the process of the others said ${begun.value}`);
  const enough = new AbortController();
  const next = lines.next().then(({ value }) => {
    if (value !== ENOUGH) throw new Error(`the process of the others said ${value}`);
    enough.abort();
  });
  return {
    enough: enough.signal,
    end: async () => {
      child.stdin.end();
      await next;
      return readAnswers(String((await lines.next()).value));
    },
  };
}

/** What the process says when it has begun. */
export const BEGUN = 'begun';
/** And when as many reads are answered as are wanted at least. */
export const ENOUGH = 'enough';

function readAnswers(text: string): Answers {
  const { ids, ...plain } = JSON.parse(text) as Record<string, Plain> & { ids?: string[] };
  const tallyOf = (name: string): Tally => {
    const tally = new Tally();
    const { answers = [], failures = [] } = plain[name] ?? {};
    for (const [status, ms] of answers) tally.add(status, ms);
    tally.failures.push(...failures);
    return tally;
  };
  return {
    reads: tallyOf('reads'),
    uploads: tallyOf('uploads'),
    searches: tallyOf('searches'),
    webhooks: tallyOf('webhooks'),
    found: tallyOf('found'),
    ids: ids ?? [],
  };
}
