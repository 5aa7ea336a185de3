/** A machine that has no thread left. */
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { expect, it } from 'vitest';
import { startThread } from '../../src/wiring/start-thread.js';

const ENDS = new URL('data:text/javascript,');

/** As Node fails beyond the limit of a user's processes (`prlimit --nproc`), which does not count for root. */
const failing = (code: string): typeof Worker =>
  class extends Worker {
    constructor() {
      super(ENDS);
      void this.terminate();
      throw Object.assign(new Error('EAGAIN'), { code });
    }
  };

it('starts it', async () => {
  expect(await once(startThread(ENDS, {}), 'exit')).toEqual([0]);
});

it('says that it is not the time, where the machine cannot start it; anything else stays a fault of the program', () => {
  expect(() => startThread(ENDS, {}, failing('ERR_WORKER_INIT_FAILED'))).toThrow(
    expect.objectContaining({ code: 'service.unavailable', message: expect.stringContaining('(EAGAIN)') }),
  );
  expect(() => startThread(ENDS, {}, failing('ERR_WORKER_PATH'))).toThrow(
    expect.objectContaining({ code: 'ERR_WORKER_PATH' }),
  );
});
