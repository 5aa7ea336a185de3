/** The talk between a thread that reads a file and the one that writes its samples: batches, credit and questions. */
import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { LaidOutBatch } from '../../src/registry/samples/sample-batch.js';
import type { ReadTask, StoreQuestions } from '../../src/submissions/reading/read-task.js';
import { readInThread, serveReading } from '../../src/submissions/reading/reading-thread.js';
import { type StoredSource, sourceOf } from '../../src/submissions/reading/stored-source.js';
import { Intake, sheetOf } from './intake.js';

let intake: Intake;
beforeAll(async () => {
  intake = await Intake.open();
});
afterAll(() => intake.close());

let files = 0;
async function uploaded(
  rows: string[][],
  header = ['Sample Name', 'Release Date', 'Sample Identifier', 'Comment[bsd_relationship:same as]'],
) {
  const { submission } = await intake.accept(sheetOf(header, ...rows), {}, { account: `file-${++files}` });
  const source = sourceOf(submission);
  const task: ReadTask = {
    fileSize: source.size,
    options: submission.options,
    prefix: 'SAMR',
    account: submission.account,
    admin: false,
    batchRows: 2,
    accepted: 0,
    cursor: 0,
    registers: false,
  };
  return { source, task };
}
const rowsOf = (count: number) => Array.from({ length: count }, (_, at) => [`r${at}`, '2020-01-01', '', '']);

/** The reading side in this process, the writing side as a thread would be: the other end of its channel. */
function reading(): { port: MessagePort; next(): Promise<Record<string, unknown>>; close(): void } {
  const { port1, port2 } = new MessageChannel();
  serveReading(port1, intake.blobs, intake.processing.rowChecks as NonNullable<typeof intake.processing.rowChecks>);
  const heard: Record<string, unknown>[] = [];
  let wake: () => void = () => undefined;
  port2.on('message', (message: Record<string, unknown>) => {
    heard.push(message);
    wake();
  });
  return {
    port: port2,
    next: async () => {
      while (heard.length === 0) await new Promise<void>((resolve) => (wake = resolve));
      return heard.shift() as Record<string, unknown>;
    },
    close: () => port1.close(),
  };
}

describe('the thread that reads', () => {
  it('sends its batches in order, further ones for the credit that it is given', async () => {
    const { port, next, close } = reading();
    const { source, task } = await uploaded(rowsOf(10));
    port.postMessage({ kind: 'read', source, task });
    expect(await next()).toEqual({ kind: 'reserve', count: 10 });
    port.postMessage({ kind: 'reserved', first: 100 });
    const batches: LaidOutBatch[] = [];
    for (let message = await next(); message.kind !== 'end'; message = await next()) {
      batches.push(message.batch as LaidOutBatch);
      if (batches.length >= 2) port.postMessage({ kind: 'credit' });
    }
    expect(batches.map(({ lines, count }) => [...lines.subarray(0, count)])).toEqual(
      [2, 4, 6, 8, 10].map((line) => [line, line + 1]),
    );
    close();
  });

  it('says what is wrong with a file, with its code', async () => {
    const { port, next, close } = reading();
    const { source, task } = await uploaded([['a', '2020-01-01', '', '']]);
    port.postMessage({ kind: 'read', source: { ...source, key: 'nothing-here' }, task });
    expect(await next()).toMatchObject({ kind: 'error', code: 'not-found' });
    port.postMessage({ kind: 'read', source, task });
    expect((await next()).kind).toBe('reserve');
    port.postMessage({ kind: 'reserved', first: 7 });
    const { batch } = (await next()) as { batch: LaidOutBatch };
    expect([...(batch.reserved ?? [])]).toEqual([7]);
    expect((await next()).kind).toBe('end');
    close();
  });
});

/** A thread that answers each message by the script; what it hears it answers. */
const scripted = (script: string): Worker =>
  new Worker(
    `const { parentPort } = require('node:worker_threads'); parentPort.on('message', (message) => { ${script} });`,
    { eval: true },
  );
const questions = (asked: unknown[]): StoreQuestions => ({
  ownersOf: async (ids) => {
    asked.push(['owners', ids]);
    return new Map([[1, 'ada']]);
  },
  storedForEdit: async (ids) => {
    asked.push(['stored', ids]);
    return [{ id: 1, damaged: true }];
  },
  openRelationships: async () => {
    asked.push(['open']);
    return 5;
  },
  reserve: async (count) => {
    asked.push(['reserve', count]);
    return 77;
  },
  knownKeys: async (keys, samples) => {
    asked.push(['keys', keys, samples]);
    return { samples: new Map(), keys: new Map() } as never;
  },
});
const SOURCE: StoredSource = { key: 'k', size: 1 };
const TASK = { batchRows: 2 } as ReadTask;
const all = async <T>(from: AsyncIterable<T>): Promise<T[]> => {
  const list: T[] = [];
  for await (const one of from) list.push(one);
  return list;
};

describe('the thread that writes', () => {
  it('answers each question, takes batches in order, and keeps the thread for the next file', async () => {
    let spawned = 0;
    const script = `
      const ask = ['owners', 'stored', 'open', 'reserve', 'keys'];
      global.at ??= 0;
      global.got ??= [];
      if (message.kind === 'read') { global.at = 0; global.got = [message.source.key, message.task.batchRows]; }
      else global.got.push(message.kind + ':' + JSON.stringify(message.first ?? message.count ?? message.samples ?? [...(message.owners ?? [])]));
      if (global.at < ask.length) parentPort.postMessage({ kind: ask[global.at++], ids: [1], count: 3, keys: ['a'], samples: [9] });
      else if (global.at === ask.length) { global.at++; parentPort.postMessage({ kind: 'batch', batch: global.got.slice() }); }
      else parentPort.postMessage({ kind: 'end' });`;
    const threads: Worker[] = [];
    const { read } = readInThread(() => {
      spawned++;
      const thread = scripted(script);
      threads.push(thread);
      return thread;
    });
    for (let file = 0; file < 2; file++) {
      const asked: unknown[] = [];
      expect(await all(read(SOURCE, TASK, questions(asked)))).toEqual([
        ['k', 2, 'owners:[[1,"ada"]]', 'stored:[{"id":1,"damaged":true}]', 'open:5', 'reserved:77', 'keys:[]'],
      ]);
      expect(asked).toEqual([['owners', [1]], ['stored', [1]], ['open'], ['reserve', 3], ['keys', ['a'], [9]]]);
    }
    expect(spawned).toBe(1);
    await threads[0]?.terminate();
  });

  it('throws what is said with a code and goes on with the thread; after anything else it takes another', async () => {
    let spawned = 0;
    const { read } = readInThread(() => {
      spawned++;
      return scripted(`if (message.source.key === 'dies') process.exit(3);
        if (message.source.key === 'throws') throw new Error('a fault of the program');
        parentPort.postMessage(message.source.key === 'file' ? { kind: 'error', code: 'file.encoding', message: 'No text.' } : message.source.key === 'fault' ? { kind: 'error', message: 'A fault.' } : { kind: 'end' });`);
    });
    const of = (key: string) => all(read({ key, size: 1 }, TASK, questions([])));
    await expect(of('file')).rejects.toMatchObject({ code: 'file.encoding', message: 'No text.' });
    expect([await of('good'), spawned]).toEqual([[], 1]);
    await expect(of('fault')).rejects.toThrow('A fault.');
    expect([await of('good'), spawned]).toEqual([[], 2]);
    await expect(of('dies')).rejects.toThrow('The reading thread ended early.');
    expect([await of('good'), spawned]).toEqual([[], 3]);
    await expect(of('throws')).rejects.toThrow('a fault of the program');
    expect([await of('good'), spawned]).toEqual([[], 4]);
  });

  it('has a thread ready for a file that is still coming, one at most, and another when that one has died', async () => {
    const threads: Worker[] = [];
    const { read, prepare } = readInThread(() => {
      const thread = scripted(`parentPort.postMessage({ kind: 'end' });`);
      threads.push(thread);
      return thread;
    });
    const file = () => all(read(SOURCE, TASK, questions([])));
    prepare();
    prepare();
    expect([threads.length, await file(), threads.length]).toEqual([1, [], 1]);
    prepare();
    expect(threads).toHaveLength(1);
    await threads[0]?.terminate();
    prepare();
    expect([threads.length, await file(), threads.length]).toEqual([2, [], 2]);
    await threads[1]?.terminate();
  });

  it('makes none ready while it reads, and ends one whose file does not come', async () => {
    const threads: Worker[] = [];
    const { read, prepare } = readInThread(() => {
      const thread = scripted(
        `parentPort.postMessage({ kind: 'batch', batch: 1 }); if (message.kind === 'credit') parentPort.postMessage({ kind: 'end' });`,
      );
      threads.push(thread);
      return thread;
    }, 30);
    for await (const _ of read(SOURCE, TASK, questions([]))) {
      prepare();
      expect(threads).toHaveLength(1);
      break;
    }
    prepare();
    expect(threads).toHaveLength(2);
    await expect.poll(() => threads.map(({ threadId }) => threadId)).toEqual([-1, -1]);
  });

  it('ends a thread that has nothing to read, that is left while it reads, and a second one that is free', async () => {
    const threads: Worker[] = [];
    const script = `parentPort.postMessage({ kind: 'batch', batch: 1 }); if (message.kind === 'credit') parentPort.postMessage({ kind: 'end' });`;
    const { read } = readInThread(() => {
      const thread = scripted(script);
      threads.push(thread);
      return thread;
    }, 30);
    for await (const _ of read(SOURCE, TASK, questions([]))) break;
    const [one, two] = [read(SOURCE, TASK, questions([])), read(SOURCE, TASK, questions([]))];
    await Promise.all([all(one), all(two)]);
    await expect.poll(() => threads.map(({ threadId }) => threadId)).toEqual([-1, -1, -1]);
  });
});
