/** What src/submissions/queue.ts promises, on any adapter. */
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Queue, Ring } from '../../src/submissions/queue.js';
import type { Lane } from '../../src/submissions/submission.js';
import { PATIENCE_MS, until } from '../many-machines/local-process.js';
import { PROOF } from '../support/proof.js';

export interface QueuePair {
  /** Two ends of one carrier, as two processes hold them. */
  here: Queue;
  there: Queue;
}

const ring = (lane: Lane = 'small', submissionId: string = randomUUID()): Ring => ({
  submissionId,
  lane,
  account: 'a',
});

/** A handler that counts its calls and, while it is held, does not end. */
class Handler {
  begun = 0;
  ended = 0;
  running = 0;
  most = 0;
  failures = 0;
  private open: (() => void) | undefined;
  private gate = Promise.resolve();

  hold(): void {
    this.gate = new Promise((resolve) => {
      this.open = resolve;
    });
  }

  letGo(): void {
    this.open?.();
  }

  readonly handle = async (): Promise<void> => {
    this.begun += 1;
    this.running += 1;
    this.most = Math.max(this.most, this.running);
    await this.gate;
    this.running -= 1;
    if (this.failures > 0) {
      this.failures -= 1;
      throw new Error('the handler failed on purpose');
    }
    this.ended += 1;
  };

  calls(atLeast: number): Promise<void> {
    return until(() => expect(this.begun).toBeGreaterThanOrEqual(atLeast));
  }
}

export function queueContract(name: string, open: () => Promise<QueuePair>): void {
  describe(`queue contract on ${name}`, () => {
    let here: Queue;
    let there: Queue;
    let handler: Handler;

    beforeEach(async () => {
      ({ here, there } = await open());
      handler = new Handler();
    });

    afterEach(async () => {
      handler.letGo();
      await here.close();
      await there.close();
    });

    it('calls the handler for a ring from another process', async () => {
      there.consume('small', 1, handler.handle);
      await here.publish(ring());
      await handler.calls(1);
    });

    it('calls the handler again for a later ring of the same submission', async () => {
      there.consume('small', 1, handler.handle);
      const repeated = ring();
      for (const time of [1, 2, 3]) {
        await here.publish(repeated);
        await handler.calls(time);
        await until(() => expect(handler.running).toBe(0));
      }
    });

    it('takes any text as an id', async () => {
      there.consume('small', 1, handler.handle);
      for (const [at, id] of ['42', 'a:b', 'a:b:c', 'ü ñ', '-1'].entries()) {
        await here.publish(ring('small', id));
        await handler.calls(at + 1);
        await until(() => expect(handler.running).toBe(0));
      }
    });

    it('keeps the lanes apart', async () => {
      const large = new Handler();
      there.consume('small', 1, handler.handle);
      there.consume('large', 1, large.handle);
      // Both listen from here on: a lane that were everybody's would be heard by the wrong one.
      await here.publish(ring('large'));
      await large.calls(1);
      for (let n = 0; n < 10; n += 1) {
        await here.publish(ring('small'));
        await handler.calls(n + 1);
      }
      expect(large.begun).toBe(1);
      handler.hold();
      await here.publish(ring('small'));
      await handler.calls(11);
      // A busy lane does not hold up the other.
      await here.publish(ring('large'));
      await large.calls(2);
      await until(() => expect(large.ended).toBe(2));
    });

    it('runs at most as many handlers at a time as it was reported', async () => {
      there.consume('small', 3, handler.handle);
      handler.hold();
      for (let n = 0; n < 12; n += 1) await here.publish(ring());
      await handler.calls(3);
      await pause(300);
      expect(handler.running).toBe(3);
      handler.letGo();
      await handler.calls(4);
      expect(handler.most).toBe(3);
    });

    it('calls the handler again for a ring that came while it was busy', async () => {
      there.consume('small', 1, handler.handle);
      handler.hold();
      const repeated = ring();
      await here.publish(repeated);
      await handler.calls(1);
      await here.publish(repeated);
      await pause(200);
      expect(handler.begun).toBe(1);
      handler.letGo();
      await handler.calls(2);
    });

    it('rings again when the handler failed', async () => {
      handler.failures = PROOF ? 2 : 1;
      there.consume('small', 1, handler.handle);
      await here.publish(ring());
      await until(() => expect(handler.ended).toBe(1));
      expect(handler.begun).toBe(PROOF ? 3 : 2);
    });

    it('stops by letting the running handler end and taking nothing further', async () => {
      const consumer = there.consume('small', 1, handler.handle);
      handler.hold();
      await here.publish(ring());
      await handler.calls(1);
      let stopped = false;
      const stopping = consumer.stop().then(() => {
        stopped = true;
      });
      await here.publish(ring());
      await pause(300);
      expect(stopped).toBe(false);
      handler.letGo();
      await stopping;
      expect(handler.ended).toBe(1);
      await here.publish(ring());
      await pause(300);
      expect(handler.begun).toBe(1);
    });

    it('tells everyone who waits that a submission has ended, on both sides, and nobody else', async () => {
      const waiting = [
        here.waitFor('one', PATIENCE_MS),
        there.waitFor('one', PATIENCE_MS),
        there.waitFor('one', PATIENCE_MS),
      ];
      let reported = false;
      const other = there.waitFor('other', PATIENCE_MS).finally(() => {
        reported = true;
      });
      await pause(200);
      await here.announce('one');
      expect(await Promise.all(waiting)).toEqual([true, true, true]);
      expect(reported).toBe(false);
      await here.announce('other');
      expect(await other).toBe(true);
    });

    it('gives up waiting when the time is over', async () => {
      expect(await here.waitFor('never', 50)).toBe(false);
    });

    it('says that it is there, and closes twice without harm', async () => {
      await here.check();
      there.consume('small', 1, handler.handle);
      await there.close();
      await there.close();
      await here.close();
      await here.close();
    });
  });
}
