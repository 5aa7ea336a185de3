/**
 * Every example of samples-tsv/ meets its row of the table in samples-tsv/README.md, over HTTP against the real server;
 * those that want an empty registry against one of their own in this process.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { tableRows } from '../docs/section.js';
import { startService } from '../http/service.js';
import { type Answer, type ApiCaller, submissionIdOf } from '../support/api-caller.js';
import { ROOT } from '../support/output.js';
import { SharedServer } from '../support/shared-server.js';

const FOLDER = join(ROOT, 'samples-tsv');

interface Example {
  file: string;
  /** Uploaded before, first thing in an empty registry. */
  after: string;
  options: Record<string, string>;
  status: number;
  /** State of the submission, or code of the problem. */
  outcome: string;
  /** created / updated / unchanged / rejected */
  counts: string;
  /** `line code`, several separated by commas: rejected rows. */
  rejected: string;
}

const plain = (cell = ''): string => cell.replaceAll('`', '');

const examples: Example[] = tableRows(readFileSync(join(FOLDER, 'README.md'), 'utf8')).map((cells) => {
  const [file = '', , after = '', options = '', status, outcome = '', counts = '', rejected = ''] = cells.map(plain);
  const pairs = options.split(/[\s,]+/).filter((pair) => pair !== '');
  return {
    file,
    after,
    options: Object.fromEntries(pairs.map((pair) => pair.split('=') as [string, string])),
    status: Number(status),
    outcome,
    counts,
    rejected,
  };
});

const optionsOf = ({ options }: Example): string =>
  Object.entries(options)
    .map((pair) => pair.join('='))
    .join(' ');

const bytesOf = (file: string): Buffer => readFileSync(join(FOLDER, file));

/** Rejected rows as the receipt lists them: `line code`, in order. */
function rejectedRows(result: string): string {
  const receipt = result.split('********RECEIPT START********').at(-1) as string;
  const rows = receipt
    .split('\n')
    .map((line) => line.split('\t'))
    .filter(([line = '']) => /^line \d+$/.test(line));
  return rows.map(([line = '', , code]) => `${line.slice('line '.length)} ${code}`).join(', ');
}

async function expectOutcome(server: ApiCaller, example: Example, answer: Answer, token: string): Promise<void> {
  expect(answer.status, answer.text).toBe(example.status);
  if (answer.status >= 400) {
    expect(answer.json().code).toBe(example.outcome);
    return;
  }
  const id = submissionIdOf(answer);
  const { submissionStatus, counts } = await server.settled(id, token);
  const { created, updated, unchanged, rejected } = counts;
  expect(rejectedRows(await server.result(id, token))).toBe(example.rejected);
  expect([submissionStatus, `${created} / ${updated} / ${unchanged} / ${rejected}`]).toEqual([
    example.outcome,
    example.counts,
  ]);
}

it('the table names every example, and every example that it names is there', () => {
  const files = readdirSync(FOLDER).filter((name) => name !== 'README.md');
  expect([...new Set(examples.map(({ file }) => file))].toSorted()).toEqual(files.toSorted());
});

describe('the examples', () => {
  let server: SharedServer;
  beforeAll(async () => {
    server = await SharedServer.of('samples-tsv');
  });

  const alone = examples.filter(({ after }) => after === '');
  it.each(alone.map((example) => [example.file, optionsOf(example), example] as const))(
    '%s %s',
    async (file, options, example) => {
      const token = await server.token(`${file} ${options}`.replace(/[^\w.-]+/g, '-'));
      const answer = await server.upload(bytesOf(file), { name: file, options: example.options, token });
      await expectOutcome(server, example, answer, token);
    },
  );
});

describe('the examples that update', () => {
  it.each(
    examples.filter(({ after }) => after !== '').map((example) => [example.file, example.after, example] as const),
  )('%s after %s', async (file, after, example) => {
    const server = await startService();
    try {
      const token = await server.token('updater');
      const before = await server.upload(bytesOf(after), { name: after, token });
      expect((await server.settled(submissionIdOf(before), token)).submissionStatus).toBe('COMPLETED');
      const answer = await server.upload(bytesOf(file), { name: file, options: example.options, token });
      await expectOutcome(server, example, answer, token);
    } finally {
      await server.stop();
    }
  });
});
