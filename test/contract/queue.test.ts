import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { type BellMessage, EmbeddedQueue } from '../../src/queue/embedded.js';
import { openQueue } from '../../src/queue/open.js';
import { PATIENCE_MS } from '../many-machines/local-process.js';
import { service, without } from '../support/services.js';
import { queueContract } from './queue.js';

const embedded = async (): Promise<{ here: EmbeddedQueue; there: EmbeddedQueue }> => {
  const here = new EmbeddedQueue();
  const there = new EmbeddedQueue();
  // The channel between two processes copies what it carries and delivers it later.
  const hearHere: ((message: BellMessage) => void)[] = [];
  const hearThere: ((message: BellMessage) => void)[] = [];
  const carry = (ears: typeof hearHere) => (message: BellMessage) =>
    setImmediate(() => {
      for (const ear of ears) ear(structuredClone(message));
    });
  here.join({ send: carry(hearThere), onMessage: (ear) => hearHere.push(ear) });
  there.join({ send: carry(hearHere), onMessage: (ear) => hearThere.push(ear) });
  return { here, there };
};

queueContract('embedded', embedded);

it('what is foretold is heard in other processes, by who prepares for its lane, and rings nobody', async () => {
  const { here, there } = await embedded();
  const heard: string[] = [];
  there.onForetold('large', () => heard.push('large'));
  there.onForetold('small', () => heard.push('small'));
  const consumer = there.consume('large', 1, async () => void heard.push('rung'));
  here.foretell('large');
  await here.publish({ submissionId: 'a', lane: 'large', account: 'ada' });
  await expect.poll(() => heard).toEqual(['large', 'rung']);
  await consumer.stop();
});

describe.skipIf(without('redis'))('with Redis', { tags: 'engines' }, () => {
  queueContract('bullmq', async () => {
    // Rounds are switched off as far as can be: here every call must come from a ring.
    const url = `${service('redis')}?prefix=test-${randomBytes(6).toString('hex')}`;
    const options = { pollMs: 3_600_000, patienceMs: PATIENCE_MS };
    return { here: await openQueue(url, options), there: await openQueue(url, options) };
  });
});

describe('openQueue', () => {
  it('refuses an address it does not know, and never shows a password', async () => {
    await expect(openQueue('amqp://host')).rejects.toThrow(/redis:\/\//);
    await expect(openQueue('redis://u:secret@h1,h2')).rejects.toThrow(/sentinel=NAME/);
    await expect(openQueue('redis://u:secret@h:notaport')).rejects.toThrow(/host:port/);
    await expect(openQueue('redis://u:secret@h:notaport')).rejects.not.toThrow(/secret/);
    await expect(openQueue('redis://h?sentinal=m')).rejects.toThrow(/sentinal/);
    await expect(openQueue('redis://h1:1/3?cluster=true')).rejects.toThrow(/number 0/);
  });
});
