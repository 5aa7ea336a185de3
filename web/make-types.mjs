/**
 * Writes web/src/api/interface.d.ts, the types of the service's interface, from its own description. Run it with
 * `node --import tsx web/make-types.mjs` after the interface has changed; a test says when it has.
 *
 * The generator needs a TypeScript with a JavaScript API, which TypeScript 7 has not, so npm fetches both for this run.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeInterface } from '../src/http/openapi/openapi.js';
import { answersOnly, shapeOf } from './interface-shape.mjs';

const folder = mkdtempSync(join(tmpdir(), 'page-types-'));
const description = answersOnly(describeInterface({ url: 'http://localhost' }));
const source = join(folder, 'interface.json');
const made = join(folder, 'interface.ts');
writeFileSync(source, JSON.stringify(description));
execFileSync(
  'npm',
  [
    'exec',
    '--yes',
    '--package=openapi-typescript@7.13.0',
    '--package=typescript@5.9.3',
    '--',
    'openapi-typescript',
    source,
    '-o',
    made,
  ],
  { cwd: folder, stdio: ['ignore', 'inherit', 'inherit'] },
);
const note = `/** Made by web/make-types.mjs from the interface description. Shape ${shapeOf(description)}. */\n`;
writeFileSync(join(import.meta.dirname, 'src/api/interface.d.ts'), note + readFileSync(made, 'utf8'));
rmSync(folder, { recursive: true });
