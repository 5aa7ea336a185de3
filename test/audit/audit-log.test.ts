import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  closeSync,
  fstatSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AuditLog } from '../../src/audit/audit-log.js';
import { auditFiles, expireAuditFiles } from '../../src/audit/files.js';
import { findInAudit } from '../../src/audit/find.js';
import { verifyAudit } from '../../src/audit/verify.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'audit-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const change = (n: number) => ({
  action: 'PUT /samples/:accession',
  account: 'ada',
  address: '192.0.2.7',
  requestId: `r-${n}`,
  outcome: 200,
  object: `/samples/SAMR${n}`,
});

/** A closed log with this many changes in it; resolves to its path. */
function written(changes: number, options = {}): string {
  const before = new Set(auditFiles(folder));
  const log = new AuditLog(folder, options);
  for (let n = 1; n <= changes; n++) log.record(change(n));
  log.close();
  return join(folder, auditFiles(folder).find((name) => !before.has(name)) as string);
}

describe('an audit log', () => {
  it('keeps account, address, request and what was changed, one JSON object a line', async () => {
    const lines = readFileSync(written(2), 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines.map(({ seq }) => seq)).toEqual([1, 2, 3]);
    expect(lines[2].event).toEqual(change(2));
    expect(lines[2].previous).toBe(lines[1].hash);
    expect(await verifyAudit(folder)).toEqual({ files: 1, lines: 3, faults: [] });
  });

  it('gives back the space that killed processes had set aside, also that of a container whose number is ours', () => {
    const host = hostname().replace(/[^\w-]/g, '_');
    const left = (name: string, written: Date): string => {
      writeFileSync(join(folder, name), '');
      utimesSync(join(folder, name), written, written);
      return name;
    };
    const gone = spawnSync(process.execPath, ['-e', '']).pid;
    const before = new Date(Date.now() - process.uptime() * 1000 - 1000);
    left(`reserve-${host}-${gone}-0a0a0a`, new Date());
    left(`reserve-${host}-${process.pid}-0b0b0b`, before);
    const kept = [
      left(`reserve-${host}-${process.pid}-0c0c0c`, new Date()),
      left(`reserve-${host}-${process.ppid}-0d0d0d`, before),
      left('reserve-another-1-0e0e0e', before),
    ];
    written(1);
    expect(readdirSync(folder).filter((name) => name.startsWith('reserve-'))).toEqual(kept.sort());
  });

  it('notices any single byte that is changed', async () => {
    // Of the first line and of the last one.
    const path = written(1);
    const original = readFileSync(path);
    for (let at = 0; at < original.length; at++) {
      const changed = Buffer.from(original);
      changed[at] = (changed[at] as number) ^ 1;
      writeFileSync(path, changed);
      const { faults } = await verifyAudit(folder);
      expect(faults, `byte ${at}`).not.toEqual([]);
    }
    writeFileSync(path, original);
    expect((await verifyAudit(folder)).faults).toEqual([]);
  });

  it.each([
    ['removed', (lines: string[]) => lines.toSpliced(2, 1)],
    ['repeated', (lines: string[]) => lines.toSpliced(2, 0, lines[1] as string)],
    ['exchanged', (lines: string[]) => lines.toSpliced(1, 2, lines[2] as string, lines[1] as string)],
  ])('notices a line that is %s', async (_, edit) => {
    const path = written(4);
    writeFileSync(path, `${edit(readFileSync(path, 'utf8').trimEnd().split('\n')).join('\n')}\n`);
    expect((await verifyAudit(folder)).faults).toHaveLength(1);
  });

  it('goes on behind what a full disk left of a line: one fault for it, and the rest is checked', async () => {
    const path = written(6);
    const lines = readFileSync(path, 'utf8').trimEnd().split('\n');
    const torn = lines.toSpliced(3, 0, (lines[3] as string).slice(0, 80));
    writeFileSync(path, `${torn.join('\n')}\n`);
    const report = await verifyAudit(folder);
    expect(report).toMatchObject({ lines: 7, faults: [{ line: 4 }] });
    torn[6] = (torn[6] as string).replace('SAMR', 'SAMX');
    writeFileSync(path, `${torn.join('\n')}\n`);
    expect((await verifyAudit(folder)).faults).toMatchObject([{ line: 4 }, { line: 7 }]);
  });

  it('notices, once another process has begun its file, that the end of the first was cut off', async () => {
    const first = written(4);
    written(1);
    const lines = readFileSync(first, 'utf8').trimEnd().split('\n');
    writeFileSync(first, `${lines.slice(0, -2).join('\n')}\n`);
    const { faults } = await verifyAudit(folder);
    expect(faults).toMatchObject([{ line: 5, message: expect.stringContaining('missing') }]);
  });

  it('notices a file that is gone, unless it expired', async () => {
    const first = written(1);
    written(1);
    renameSync(first, `${first}.away`);
    expect((await verifyAudit(folder)).faults).toMatchObject([{ message: expect.stringContaining('gone') }]);
    renameSync(`${first}.away`, first);
    utimesSync(first, 1, 1);
    const log = new AuditLog(folder);
    expect(expireAuditFiles(folder, 1_000_000, (files) => log.recordExpired(files))).toHaveLength(1);
    log.close();
    expect((await verifyAudit(folder)).faults).toEqual([]);
  });

  it('lets several processes remove what has expired at the same time', async () => {
    const old = [written(1), written(1)];
    for (const path of old) utimesSync(path, 1, 1);
    const log = new AuditLog(folder);
    const removedByAnother = () => {
      for (const path of old) rmSync(path);
    };
    expect(expireAuditFiles(folder, 1_000_000, removedByAnother)).toHaveLength(2);
    log.close();
  });

  it('is searched for the last lines alone, in the order of time', async () => {
    const log = new AuditLog(folder);
    for (let n = 1; n <= 3_000; n++) log.record(change(n));
    log.close();
    const found = await findInAudit(folder, 'PUT /samples', 100);
    expect(found).toHaveLength(100);
    expect(found.at(-1)).toMatchObject(change(3_000));
  });

  it('begins a new file after a day, which remembers the end of the old one', async () => {
    let now = Date.UTC(2024, 0, 1);
    const log = new AuditLog(folder, { now: () => now });
    log.record(change(1));
    now += 25 * 3600_000;
    log.record(change(2));
    log.close();
    expect(await verifyAudit(folder)).toMatchObject({ files: 2, lines: 4, faults: [] });
  });

  it('goes on in the old file while none can be begun, and writes into no other', async () => {
    let now = Date.UTC(2024, 0, 1);
    const log = new AuditLog(folder, { now: () => now });
    log.record(change(1));
    now += 25 * 3600_000;
    renameSync(folder, `${folder}-away`);
    log.record(change(2));
    // Whoever opens a file next is given the number of one that was closed.
    const other = openSync(`${folder}-other`, 'w+');
    log.record(change(3));
    await log.synced();
    expect(fstatSync(other).size).toBe(0);
    closeSync(other);
    rmSync(`${folder}-other`);
    renameSync(`${folder}-away`, folder);
    expect(await verifyAudit(folder)).toMatchObject({ files: 1, lines: 4, faults: [] });
    log.record(change(4));
    log.close();
    expect(await verifyAudit(folder)).toMatchObject({ files: 2, lines: 6, faults: [] });
  });

  it('has every line of a process that was killed right after it recorded one', async () => {
    const program = `
      import { AuditLog } from ${JSON.stringify(new URL('../../src/audit/audit-log.ts', import.meta.url).href)};
      const log = new AuditLog(${JSON.stringify(folder)});
      for (let n = 1; n <= 500; n++) log.record({ action: 'POST /samples', outcome: 201, object: String(n) });
      process.kill(process.pid, 'SIGKILL');`;
    const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', program]);
    const [, signal] = await once(child, 'exit');
    expect(signal).toBe('SIGKILL');
    expect(await verifyAudit(folder)).toEqual({ files: 1, lines: 501, faults: [] });
  });

  it('has synced whatever was recorded before it was asked, also what was asked for while a sync was under way', async () => {
    const log = new AuditLog(folder);
    const order: string[] = [];
    const asked = [1, 2, 3].map(async (n) => {
      log.record(change(n));
      await log.synced();
      order.push(`synced ${n}`);
    });
    expect(order).toEqual([]);
    await Promise.all(asked);
    expect(order).toEqual(['synced 1', 'synced 2', 'synced 3']);
    log.close();
  });

  it('says so when it cannot be synced', async () => {
    const log = new AuditLog(folder);
    log.record(change(1));
    const { file } = log as unknown as { file: number };
    closeSync(file);
    await expect(log.synced()).rejects.toThrow(/EBADF/);
  });

  it('reports a last line without an end', async () => {
    appendFileSync(written(1), '{"seq":3,"at":"20');
    expect((await verifyAudit(folder)).faults).toMatchObject([{ line: 3 }]);
  });

  it('is readable for its owner alone', () => {
    expect(statSync(written(1)).mode & 0o777).toBe(0o600);
  });
});
