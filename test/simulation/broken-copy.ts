/** A copy of the project in which a bug is planted, and a hunt for it in a process of its own. */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from '../support/output.js';
import type { Hunted } from './hunt.js';
import { huntedIn } from './many-runs.js';
import type { PlantedBug } from './planted.js';

const COPIED = [
  'src',
  'test/simulation',
  'test/support',
  'test/contract/breakages.ts',
  'package.json',
  'tsconfig.json',
];

export class BrokenCopy {
  readonly #folder = mkdtempSync(join(tmpdir(), 'registry-planted-'));

  constructor() {
    for (const name of COPIED) cpSync(join(ROOT, name), join(this.#folder, name), { recursive: true });
    symlinkSync(join(ROOT, 'node_modules'), join(this.#folder, 'node_modules'));
  }

  hunt({ edits }: PlantedBug, from: number, count: number): Hunted {
    const files = [...new Set(edits.map(({ file }) => file))];
    for (const file of files) {
      let text = readFileSync(join(ROOT, file), 'utf8');
      for (const edit of edits) if (edit.file === file) text = text.replace(edit.find, () => edit.replace);
      writeFileSync(join(this.#folder, file), text);
    }
    try {
      const program = ['--import', 'tsx', 'test/simulation/hunt.ts', String(from), String(count)];
      const { stdout, stderr } = spawnSync(process.execPath, program, { cwd: this.#folder, encoding: 'utf8' });
      return huntedIn(stdout, stderr);
    } finally {
      for (const file of files) cpSync(join(ROOT, file), join(this.#folder, file));
    }
  }

  close(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
