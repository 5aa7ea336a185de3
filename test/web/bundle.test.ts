/** What a browser loads for the first view, and from where. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { ROOT } from '../support/output.js';

const DIST = join(ROOT, 'web', 'dist');
const MAX_BYTES = 350_000;

/** Files that this one needs before it runs: what the page names, and what scripts import statically. */
function needs(path: string): string[] {
  const text = readFileSync(join(DIST, path), 'utf8');
  const names = path.endsWith('.html')
    ? [...text.matchAll(/(?:src|href)="\.\/([^"]+)"/g)]
    : path.endsWith('.js')
      ? [...text.matchAll(/(?:from|import)\s*["'`]\.\/([^"'`]+)["'`]/g)]
      : [];
  const folder = path.includes('/') ? `${path.slice(0, path.lastIndexOf('/'))}/` : '';
  return names.map(([, name]) => folder + name);
}

function firstView(): Set<string> {
  const files = new Set<string>();
  const visit = (path: string) => {
    if (files.has(path)) return;
    files.add(path);
    for (const needed of needs(path)) visit(needed);
  };
  visit('index.html');
  return files;
}

describe.skipIf(!existsSync(DIST) && process.env.CI !== 'true')('the built page', () => {
  it('is at most 350 KB, compressed, for the first view', () => {
    const files = [...firstView()];
    expect(files.some((path) => path.endsWith('.js') && path.startsWith('assets/'))).toBe(true);
    expect(files.some((path) => path.endsWith('.css'))).toBe(true);
    const size = files.reduce((sum, path) => sum + gzipSync(readFileSync(join(DIST, path))).length, 0);
    console.log(`The first view: ${files.length} files, ${Math.round(size / 1000)} KB compressed.`);
    expect(size).toBeLessThanOrEqual(MAX_BYTES);
  });

  it('leaves the other views out of it', () => {
    const text = [...firstView()].map((path) => readFileSync(join(DIST, path), 'latin1')).join('');
    expect(text).not.toContain('Workers and their jobs');
  });

  it('names no other host and no inline script', () => {
    const page = readFileSync(join(DIST, 'index.html'), 'utf8');
    expect(page).not.toMatch(/(?:src|href)="(?:https?:)?\/\//);
    expect(page).not.toMatch(/<script(?![^>]*\bsrc=)[^>]*>/);
  });
});
