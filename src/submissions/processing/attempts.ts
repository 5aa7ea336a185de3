/**
 * When processing that was interrupted is tried again, and when a submission is given up. The stores keep what this
 * file answers, without a rule of their own.
 */
import type { Problem, Setbacks } from '../submission.js';

/** `itself`: processing failed, whoever runs it. `outside`: its worker was killed or lost, or a service is unavailable. */
export type SetbackCause = 'outside' | 'itself';

export interface Setback {
  cause: SetbackCause;
  /** Why, when that is known: the submission ends with it when it is given up. */
  problem?: Problem;
}

export interface AttemptRules {
  /** Setbacks by itself at one place before a submission is given up. */
  maxAttempts: number;
  /** How long, after the first setback at a place, those from outside do not count. */
  outsideMs: number;
}

export interface AfterSetback {
  setbacks: Setbacks;
  /** The next try has a fresh process to itself. */
  alone: boolean;
  /** Set when there is no next try. */
  givenUp?: Problem;
}

/** So many workers may be lost over one submission before it is suspected of having ended them. */
const UNSUSPECTED = 2;
export const LONGEST_WAIT_MS = 30_000;

/** @param line the last one whose outcome is recorded: the place */
export function afterSetback(
  before: Setbacks | undefined,
  setback: Setback,
  rules: AttemptRules,
  line: number,
  now: number,
): AfterSetback {
  const since = before?.since ?? now;
  const counts = setback.cause === 'itself' || now - since >= rules.outsideMs;
  const outside = (before?.outside ?? 0) + (counts ? 0 : 1);
  const itself = (before?.itself ?? 0) + (counts ? 1 : 0);
  const setbacks: Setbacks = { outside, itself, since, nextTry: now + waitAfter(outside, itself) };
  if (setback.problem) setbacks.reason = setback.problem.message;
  const alone = itself > 0 || outside >= UNSUSPECTED;
  if (itself < rules.maxAttempts) return { setbacks, alone };
  return { setbacks, alone, givenUp: setback.problem ?? attemptsUsedUp(itself, line) };
}

/** A first loss is made good at once; then 1, 2, 4 … seconds. */
function waitAfter(outside: number, itself: number): number {
  const times = outside + itself;
  if (times === 1 && itself === 0) return 0;
  return Math.min(LONGEST_WAIT_MS, 1000 * 2 ** Math.max(0, times - 2));
}

/** What is going on with an ACTIVE submission, in words: `Worker lost 7 times after line 0, next try in 8 s.` A worker that is lost gives no reason. */
export function setbackMessage({ outside, itself, nextTry, reason }: Setbacks, line: number, now: number): string {
  const parts = [
    ...(outside > 0 ? [`${reason ? 'interrupted' : 'worker lost'} ${times(outside)}`] : []),
    ...(itself > 0 ? [`processing failed ${times(itself)}`] : []),
  ];
  const next = nextTry > now ? `next try in ${Math.ceil((nextTry - now) / 1000)} s` : 'trying again';
  const text = `${parts.join(' and ')} after line ${line}, ${next}.${reason ? ` Last: ${reason}` : ''}`;
  return text[0]?.toUpperCase() + text.slice(1);
}

const times = (count: number): string => ['once', 'twice'][count - 1] ?? `${count} times`;

const attemptsUsedUp = (count: number, line: number): Problem => ({
  code: 'submission.attempts-used-up',
  message: `Processing ended ${times(count)} after line ${line} without getting further, the last times in a process of its own. Send the file again to go on from there, or tell the operator.`,
  line,
  retryable: true,
});
