/** What a report of mutants says, beside the lists of survivors that were looked at: one list for each folder. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './setup.mjs';

const FOLDER = join(ROOT, 'test', 'mutants', 'survivors');

const NOTICED = new Set(['Killed', 'Timeout', 'RuntimeError', 'CompileError']);
const SURVIVED = new Set(['Survived', 'NoCoverage']);

/**
 * @param report { files: { [path]: { source, mutants: [{ status, replacement, location: { start, end } }] } } }, lines
 * and columns from 1
 * @param reviewed [{ file, code, mutant, why }]: survivors that change nothing anybody could notice; `code` is the whole
 * line without the blanks around it
 * @returns noticed, mattering: numbers of mutants, without those that are reviewed and those that no suite can switch on;
 * unexplained: [{ file, line, code, mutant }]
 */
export function lookAt({ files }, reviewed) {
  const keyOf = ({ file, code, mutant }) => JSON.stringify([file, code, mutant]);
  const explained = new Set(reviewed.map(keyOf));
  let noticed = 0;
  const unexplained = [];
  for (const [file, { source, mutants }] of Object.entries(files)) {
    const lines = source.split('\n');
    for (const { status, replacement, location } of mutants) {
      if (NOTICED.has(status)) noticed++;
      if (!SURVIVED.has(status)) continue;
      const survivor = {
        file,
        line: location.start.line,
        code: lines[location.start.line - 1].trim(),
        mutant: replacement.replace(/\s+/g, ' '),
      };
      if (!explained.has(keyOf(survivor))) unexplained.push(survivor);
    }
  }
  return { noticed, mattering: noticed + unexplained.length, unexplained };
}

/** @returns the survivors of every folder that are written down, [{ file, code, mutant, why }] */
export function reviewedSurvivors() {
  return readdirSync(FOLDER).flatMap((name) => JSON.parse(readFileSync(join(FOLDER, name), 'utf8')));
}
