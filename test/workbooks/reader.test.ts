/**
 * Whose workbook is read when several are sent: a place that one account holds keeps no other waiting.
 *
 * @module-tag bounds
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { openWorkbook as Open, OpenedWorkbook } from '../../src/workbooks/open.js';
import { WorkbookReader } from '../../src/workbooks/reader.js';
import { ROOT } from '../support/output.js';

/** The reading process is the built one. */
const built = join(ROOT, 'dist', 'src', 'workbooks', 'open.js');
const { openWorkbook } = (existsSync(built) ? await import(built) : {}) as { openWorkbook: typeof Open };
const path = join(ROOT, 'test', 'workbooks', 'made-by-libreoffice', 'kept.xlsx');
const whole = readFileSync(path);

async function* sent(...blocks: Buffer[]): AsyncGenerator<Buffer> {
  yield* blocks;
}

describe.skipIf(!openWorkbook)('workbooks of several accounts', () => {
  it('have turns: who has sent many large ones keeps nobody else waiting', async () => {
    const reader = new WorkbookReader(openWorkbook);
    const begun: string[] = [];
    const open = async (account: string): Promise<OpenedWorkbook> => {
      const opened = await reader.open({ path, bytes: () => sent(whole), account });
      begun.push(account);
      return opened;
    };
    const many = await Promise.all([open('many'), open('many')]);
    const third = open('many');
    const fourth = open('many');
    (await open('other')).close();
    expect(begun).toEqual(['many', 'many', 'other']);
    const others = await open('other');
    const waits = open('other');
    // The place that is free next goes to who has fewer.
    others.close();
    (await waits).close();
    expect(begun).toEqual(['many', 'many', 'other', 'other', 'other']);
    for (const opened of many) opened.close();
    for (const opened of await Promise.all([third, fourth])) opened.close();
    const again = await Promise.all([open('many'), open('many'), open('other')]);
    for (const opened of again) opened.close();
  });

  it('take a place when they have arrived: who sends slowly keeps nobody waiting, and of those an account has some', async () => {
    const reader = new WorkbookReader(openWorkbook);
    const giveUp = new AbortController();
    const left = new Promise<never>((_, reject) =>
      giveUp.signal.addEventListener('abort', () => reject(new Error('the client left'))),
    );
    async function* stalled(): AsyncGenerator<Buffer> {
      yield whole.subarray(0, 100);
      await left;
    }
    const arriving = (account: string, bytes: () => AsyncIterable<Buffer>) =>
      reader.open({ bytes, account, arriving: true });
    const slow = Array.from({ length: 20 }, () => arriving('slow', stalled).catch(String));
    await expect(arriving('slow', stalled)).rejects.toMatchObject({ code: 'rate.limited' });
    (await arriving('other', () => sent(whole))).close();
    (await reader.open({ path, bytes: () => sent(whole), account: 'slow' })).close();
    giveUp.abort();
    expect(new Set(await Promise.all(slow))).toEqual(new Set(['Error: the client left']));
    (await arriving('slow', () => sent(whole.subarray(0, 10), whole.subarray(10)))).close();
  });
});
