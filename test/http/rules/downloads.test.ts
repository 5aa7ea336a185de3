/** Places of downloads: who has to wait, who has to come back, and that one who left meanwhile costs nothing. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { expect, it } from 'vitest';
import { downloads } from '../../../src/http/downloads.js';

const request = { method: 'GET' } as IncomingMessage;

/** A download that is under way until its client leaves. */
function begin(download: ReturnType<typeof downloads>, account: string, hasLeft = false) {
  const response = { destroyed: hasLeft, setHeader: () => undefined };
  let begun = false;
  let leave = (): void => {};
  const left = new Promise<void>((resolve) => {
    leave = resolve;
  });
  async function* pieces() {
    await left;
    yield 'a';
  }
  const done = download(request, response as unknown as ServerResponse, account, 'a/b', () => {
    begun = true;
    return pieces();
  });
  return {
    done,
    hasBegun: () => begun,
    leave: async () => {
      response.destroyed = true;
      leave();
      await done;
    },
  };
}
const refused = (words: string) =>
  expect.objectContaining({
    code: 'rate.limited',
    message: `${words} wait for their turn already; take those first, or try again in 10 s.`,
    detail: { extra: { retryAfter: 10 } },
  });

it('wait in the order in which they came, so many of one account and so many in all', async () => {
  const download = downloads({ ofOne: 1, inAll: 2 }, { ofOne: 2, inAll: 3 });
  const first = begin(download, 'ada');
  const other = begin(download, 'bo');
  const waiting = [begin(download, 'ada'), begin(download, 'ada'), begin(download, 'bo')];
  await Promise.resolve();
  expect([first, other, ...waiting].map(({ hasBegun }) => hasBegun())).toEqual([true, true, false, false, false]);
  await expect(begin(download, 'ada').done).rejects.toEqual(refused('2 downloads of yours'));
  await expect(begin(download, 'cy').done).rejects.toEqual(refused('3 downloads'));
  await first.leave();
  await expect.poll(() => waiting.map(({ hasBegun }) => hasBegun())).toEqual([true, false, false]);
  await Promise.all([other, ...waiting].map(({ leave }) => leave()));
});

it('are not made for a client that left while it waited, and the place is there again', async () => {
  const download = downloads({ ofOne: 1, inAll: 1 }, { ofOne: 1, inAll: 1 });
  const gone = begin(download, 'ada', true);
  await gone.done;
  expect(gone.hasBegun()).toBe(false);
  const next = begin(download, 'ada');
  await expect.poll(next.hasBegun).toBe(true);
  await next.leave();
});
