/**
 * Seeds and numbers of runs of everything that is drawn at random. `RANDOM_SEED` sets the seed, so that a failing run is
 * made again by the command that it prints; `npm test` takes that of the commit. `RANDOM_TIMES` multiplies the runs: 3 in
 * the proof, a quarter without it, since each commit draws others; `npm test` without arguments sets a tenth.
 */
import { relative } from 'node:path';
import fc from 'fast-check';
import { expect } from 'vitest';
import { PROOF } from './proof.js';

const SEED = number('RANDOM_SEED', /^-?\d{1,10}$/, 'whole number');
const TIMES = number('RANDOM_TIMES', /^\d{1,10}(\.\d+)?$/, 'number') ?? (PROOF ? 3 : 0.25);

/** The seed that was asked for, else another one each time. */
export const newSeed = (): number => SEED ?? Date.now() % 1e9;

/** As many runs of a property as are wanted now, where it is `whole` with so many. */
export const runs = (whole: number): number => Math.ceil(whole * TIMES);

fc.configureGlobal({ ...(SEED === undefined ? {} : { seed: SEED }), reporter: report });

function report(details: fc.RunDetails<unknown>): void {
  if (!details.failed) return;
  const file = relative(process.cwd(), expect.getState().testPath ?? '');
  const times = TIMES < 1 ? '' : ` RANDOM_TIMES=${TIMES}`;
  const again = `Once more: RANDOM_SEED=${details.seed}${times} npm test -- ${file}`;
  throw new Error(`${again}\n${fc.defaultReportMessage(details as fc.RunDetails<unknown> & { failed: true })}`, {
    cause: details.errorInstance,
  });
}

function number(name: string, form: RegExp, what: string): number | undefined {
  const text = process.env[name];
  if (text === undefined || text === '') return undefined;
  if (!form.test(text)) throw new Error(`${name}=${text} is no ${what}.`);
  return Number(text);
}
