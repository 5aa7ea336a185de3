/** A watched folder with the daemon as a real process, and what came to lie in it. */
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { StatusDocument } from '../support/api-caller.js';
import { type Finished, runCommand, startCommand } from '../support/command.js';

export interface Receipt {
  file: string;
  key: string;
  outcome: 'done' | 'rejected';
  submission?: StatusDocument;
  problem?: { code: string };
}

export class Folder {
  readonly root = mkdtempSync(join(tmpdir(), 'watched-'));

  constructor(private readonly env: Record<string, string>) {}

  args(...more: string[]): string[] {
    return ['watch', this.root, '--json', '--poll', '0.05', '--retry', '0.2', '--stable', '0.15', ...more];
  }

  /** Runs until the inbox is empty. */
  runOnce(...more: string[]): Promise<Finished> {
    return runCommand(this.args('--once', ...more), { env: { HOME: this.root, ...this.env } });
  }

  start(...more: string[]): ChildProcess {
    return startCommand(this.args(...more), { env: { HOME: this.root, ...this.env } });
  }

  put(name: string, text: string): void {
    writeFileSync(join(this.root, 'inbox', name), text);
  }

  names(folder: 'inbox' | 'working' | 'done' | 'rejected'): string[] {
    return readdirSync(join(this.root, folder)).sort();
  }

  text(folder: 'done' | 'rejected', name: string): string {
    return readFileSync(join(this.root, folder, name), 'utf8');
  }

  receipts(): Receipt[] {
    return (['done', 'rejected'] as const).flatMap((folder) =>
      this.names(folder)
        .filter((name) => name.endsWith('.receipt.json'))
        .map((name) => JSON.parse(this.text(folder, name)) as Receipt),
    );
  }

  remove(): void {
    rmSync(this.root, { recursive: true, force: true });
  }
}

export async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill('SIGKILL');
  await gone;
}
