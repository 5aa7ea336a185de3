/** Parts of documents that are printed from the code: between `<!-- name -->` and `<!-- /name -->`. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { ROOT } from '../support/output.js';

/** Text of a document of the project, e.g. `docs/errors.md`. */
export const document = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

/** The part must stand in the document as printed; with UPDATE_DOCS=1 it is put there instead. */
export function expectSection(path: string, name: string, printed: string): void {
  const text = document(path);
  const [open, close] = [`<!-- ${name} -->`, `<!-- /${name} -->`];
  const [from, to] = [text.indexOf(open) + open.length, text.indexOf(close)];
  if (from < open.length || to < from) throw new Error(`${path} has no part ${open} … ${close}.`);
  const wanted = `\n${printed.trim()}\n`;
  if (process.env.UPDATE_DOCS === '1') {
    writeFileSync(join(ROOT, path), text.slice(0, from) + wanted + text.slice(to));
    return;
  }
  expect(text.slice(from, to), `${path} is behind the code: run UPDATE_DOCS=1 npx vitest run test/docs`).toBe(wanted);
}

/** Cells of each row of the tables in a document, without the header and ruler rows. */
export function tableRows(text: string): string[][] {
  const lines = text.split('\n').filter((line) => line.startsWith('|'));
  const rulers = lines.flatMap((line, at) => (/^\|[\s:|-]+\|$/.test(line) ? [at - 1, at] : []));
  return lines
    .filter((_, at) => !rulers.includes(at))
    .map((line) =>
      line
        .slice(1, -1)
        .split(/(?<!\\)\|/)
        .map((cell) => cell.trim().replaceAll('\\|', '|')),
    );
}
