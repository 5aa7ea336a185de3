import { RegistryError } from '../registry/errors.js';
import type { Queue } from '../submissions/queue.js';
import type { BullmqOptions } from './bullmq.js';
import { EmbeddedQueue } from './embedded.js';

/**
 * The queue at this address: `embedded:`, or `redis://…` / `rediss://…` (redis-address.ts has all the forms).
 * Opening does not wait for Redis; `check` tells whether it is there.
 * @throws RegistryError request.invalid
 */
export async function openQueue(url: string, options: BullmqOptions = {}): Promise<Queue> {
  if (url === 'embedded:') return new EmbeddedQueue();
  if (/^rediss?:/.test(url)) {
    // Loaded when asked for: a process of a single machine is 50 MB smaller without the many-machines engines.
    const { BullmqQueue } = await import('./bullmq.js');
    return new BullmqQueue(url, options);
  }
  throw new RegistryError(
    'request.invalid',
    `A queue address is "embedded:" or begins with "redis://" or "rediss://".`,
  );
}
