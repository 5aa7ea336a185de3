import { describe, expect, it } from 'vitest';
import { RepeatedFault } from '../../src/observability/repeated-fault.js';

const AWAY = new Error('away');

/** What a loop says that fails each 400 ms for so long, and then works. */
function said(ms: number): { lines: { at: number; times: number }[]; over: number[]; failed: number } {
  let at = 0;
  let failed = 0;
  const lines: { at: number; times: number }[] = [];
  const over: number[] = [];
  const fault = new RepeatedFault(
    { failed: (_error, times) => lines.push({ at, times }), over: (times) => over.push(times) },
    () => at,
  );
  for (; at < ms; at += 400, failed++) fault.failed(AWAY);
  fault.worked();
  fault.worked();
  return { lines, over, failed };
}

describe('what fails again and again', () => {
  it('is said at once, and its end once', () => {
    expect(said(400)).toMatchObject({ lines: [{ at: 0, times: 1 }], over: [1] });
  });

  it('is said some times in an hour and some hundred times in a week, with how often it was', () => {
    const hour = said(3_600_000);
    expect(hour.lines.length).toBeLessThan(12);
    expect(hour.over).toEqual([hour.failed]);
    expect(said(7 * 24 * 3_600_000).lines.length).toBeLessThan(1_100);
    expect(hour.lines.slice(0, 4).map(({ at }) => at)).toEqual([0, 10_000, 30_000, 70_000]);
    expect(hour.lines[1]?.times).toBe(25);
  });

  it('is said at once again after it had worked', () => {
    const lines: number[] = [];
    const fault = new RepeatedFault({ failed: (_error, times) => lines.push(times), over: () => {} }, () => 5);
    for (let n = 0; n < 3; n++) {
      fault.failed(AWAY);
      fault.failed(AWAY);
      fault.worked();
    }
    expect(lines).toEqual([1, 1, 1]);
  });
});
