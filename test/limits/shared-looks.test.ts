/** One look for all who follow the same thing: never two of it at once, begun after whoever gets it asked, none for nobody. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { SharedLooks } from '../../src/limits/shared-looks.js';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Of one who stays. */
const here = () => new AbortController().signal;

/** Looks that are answered when the test says so. */
function looking() {
  const begun: { key: string; found: (what: string) => void; failed: (error: Error) => void }[] = [];
  const looks = new SharedLooks((key) => new Promise<string>((found, failed) => begun.push({ key, found, failed })));
  return { looks, begun, keys: () => begun.map(({ key }) => key) };
}

it('all who wait for a thing share the look that begins when the first of them wants it', async () => {
  const { looks, begun, keys } = looking();
  const all = Array.from({ length: 50 }, (_, at) => looks.next('a', 500 - at, here()));
  const other = looks.next('b', 500, here());
  vi.advanceTimersByTime(450);
  expect(keys()).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(keys()).toEqual(['a']);
  begun[0]?.found('now');
  expect(new Set(await Promise.all(all))).toEqual(new Set(['now']));
  vi.advanceTimersByTime(1_000);
  expect(keys()).toEqual(['a', 'b']);
  begun[1]?.found('too');
  expect(await other).toBe('too');
  await vi.runAllTimersAsync();
  expect([looks.size, vi.getTimerCount()]).toEqual([0, 0]);
});

it('who asks while it is looked at has the next look, which begins when that one is over', async () => {
  const { looks, begun } = looking();
  const first = looks.next('a', 0, here());
  vi.advanceTimersByTime(1);
  const second = looks.next('a', 0, here());
  vi.advanceTimersByTime(10_000);
  expect(begun).toHaveLength(1);
  begun[0]?.found('old');
  expect(await first).toBe('old');
  await vi.advanceTimersByTimeAsync(1);
  expect(begun).toHaveLength(2);
  begun[1]?.found('new');
  expect(await second).toBe('new');
});

it('a look that fails fails for all who waited, and for none who come after', async () => {
  const { looks, begun } = looking();
  const all = [looks.next('a', 0, here()), looks.next('a', 0, here())];
  vi.advanceTimersByTime(1);
  begun[0]?.failed(new Error('away'));
  expect(await Promise.allSettled(all)).toMatchObject([{ status: 'rejected' }, { status: 'rejected' }]);
  const again = looks.next('a', 0, here());
  await vi.advanceTimersByTimeAsync(1);
  begun[1]?.found('back');
  expect(await again).toBe('back');
});

it('who leaves waits for nothing, and nothing is looked at for nobody', async () => {
  const { looks, begun } = looking();
  const leaving = new AbortController();
  const stays = looks.next('a', 500, here());
  const left = [looks.next('a', 100, leaving.signal), looks.next('b', 100, leaving.signal)];
  leaving.abort();
  expect(await Promise.all([...left, looks.next('c', 0, leaving.signal)])).toEqual([undefined, undefined, undefined]);
  expect(looks.size).toBe(1);
  vi.advanceTimersByTime(500);
  expect(begun.map(({ key }) => key)).toEqual(['a']);
  begun[0]?.found('now');
  expect(await stays).toBe('now');
  await vi.runAllTimersAsync();
  expect([looks.size, vi.getTimerCount()]).toEqual([0, 0]);
});
