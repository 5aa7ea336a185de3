/** When interrupted processing is tried again, when it is given up, and what is said of it meanwhile. */
import { describe, expect, it } from 'vitest';
import {
  type AfterSetback,
  afterSetback,
  LONGEST_WAIT_MS,
  type SetbackCause,
  setbackMessage,
} from '../../src/submissions/processing/attempts.js';
import type { Problem } from '../../src/submissions/submission.js';

const RULES = { maxAttempts: 3, outsideMs: 60_000 };
const NOW = 1_000_000;
const full: Problem = { code: 'storage.full', message: 'The disk is full.', retryable: true };

/** One setback after the other at the same line, each so many milliseconds after the first. */
function interrupted(causes: readonly (readonly [SetbackCause, number?])[], rules = RULES): AfterSetback {
  let last: AfterSetback | undefined;
  for (const [cause, ms = 0] of causes) last = afterSetback(last?.setbacks, { cause }, rules, 17, NOW + ms);
  return last as AfterSetback;
}

describe('the next try', () => {
  it('is at once after a first lost worker, and waits longer after each further one, at most half a minute', () => {
    const waits = Array.from({ length: 8 }, (_, at) => {
      const { setbacks } = interrupted(Array.from({ length: at + 1 }, () => ['outside'] as const));
      return setbacks.nextTry - NOW;
    });
    expect(waits).toEqual([0, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]);
    expect(LONGEST_WAIT_MS).toBe(30_000);
  });

  it('waits a second after a first failure by itself', () => {
    expect(interrupted([['itself']]).setbacks).toEqual({ outside: 0, itself: 1, since: NOW, nextTry: NOW + 1_000 });
    expect(interrupted([['outside'], ['itself']]).setbacks.nextTry).toBe(NOW + 1_000);
    expect(interrupted([['outside'], ['outside'], ['itself']]).setbacks.nextTry).toBe(NOW + 2_000);
  });

  it.each([
    [[['outside']], false],
    [[['outside'], ['outside']], true],
    [[['itself']], true],
  ] as const)('after %j has a process to itself: %s', (causes, alone) => {
    expect(interrupted(causes).alone).toBe(alone);
  });

  it('counts a lost worker as failed by itself once that has gone on for the time that is allowed', () => {
    expect(interrupted([['outside'], ['outside', 59_999]]).setbacks).toMatchObject({
      outside: 2,
      itself: 0,
      since: NOW,
    });
    expect(interrupted([['outside'], ['outside', 60_000]]).setbacks).toMatchObject({
      outside: 1,
      itself: 1,
      since: NOW,
    });
  });
});

describe('a submission is given up', () => {
  it('at the last of the attempts, with its line and what to do', () => {
    expect(interrupted([['itself'], ['itself']]).givenUp).toBeUndefined();
    expect(interrupted([['itself'], ['itself'], ['itself']]).givenUp).toEqual({
      code: 'submission.attempts-used-up',
      message:
        'Processing ended 3 times after line 17 without getting further, the last times in a process of its own. Send the file again to go on from there, or tell the operator.',
      line: 17,
      retryable: true,
    });
  });

  it('for the reason of its last setback, where that is known, which is said before, too', () => {
    const rules = { ...RULES, maxAttempts: 2 };
    const first = afterSetback(undefined, { cause: 'itself', problem: full }, rules, 0, NOW);
    expect([first.setbacks.reason, first.givenUp]).toEqual([full.message, undefined]);
    expect(afterSetback(first.setbacks, { cause: 'itself', problem: full }, rules, 0, NOW).givenUp).toEqual(full);
  });
});

describe('a setback in words', () => {
  const said = (outside: number, itself: number, wait: number, reason?: string): string => {
    const why = reason === undefined ? {} : { reason };
    return setbackMessage({ outside, itself, since: NOW, nextTry: NOW + wait, ...why }, 40, NOW);
  };
  it.each([
    [1, 0, 0, undefined, 'Worker lost once after line 40, trying again.'],
    [2, 0, 1, undefined, 'Worker lost twice after line 40, next try in 1 s.'],
    [3, 0, 1_001, undefined, 'Worker lost 3 times after line 40, next try in 2 s.'],
    [0, 1, -5, undefined, 'Processing failed once after line 40, trying again.'],
    [
      1,
      4,
      2_000,
      'The disk is full.',
      'Interrupted once and processing failed 4 times after line 40, next try in 2 s. Last: The disk is full.',
    ],
  ] as const)('%i lost, %i failed, %i ms to go', (outside, itself, wait, reason, words) => {
    expect(said(outside, itself, wait, reason)).toBe(words);
  });
});
