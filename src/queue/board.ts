/** The rings in Redis, to look at: bull-board, which shows what waits, runs and failed, and can ring again. */
import type { RequestHandler } from 'express';
import type { Queue } from '../submissions/queue.js';

/** A page for the queue, below `basePath`; undefined for a queue that has none to show. Guarding it is the caller's. */
export async function openBoard(queue: Queue, basePath: string): Promise<RequestHandler | undefined> {
  if (!('bullQueues' in queue)) return undefined;
  const { BullmqQueue } = await import('./bullmq.js');
  if (!(queue instanceof BullmqQueue)) return undefined;
  const [{ createBullBoard }, { BullMQAdapter }, { ExpressAdapter }] = await Promise.all([
    import('@bull-board/api'),
    import('@bull-board/api/bullMQAdapter'),
    import('@bull-board/express'),
  ]);
  const serverAdapter = new ExpressAdapter();
  serverAdapter.setBasePath(basePath);
  createBullBoard({ queues: queue.bullQueues().map((each) => new BullMQAdapter(each)), serverAdapter });
  return serverAdapter.getRouter() as RequestHandler;
}
