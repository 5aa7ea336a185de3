/** Reads and registers in a thread of its own, since starting containers holds up the thread that does it. */
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { Visitor } from './visitor.mjs';

/** Goes on until it is stopped; then says how many reads and uploads were answered, and which requests were refused. */
export function busyWith({ url, token }) {
  const thread = new Worker(new URL(import.meta.url), { workerData: { url, token } });
  return {
    stop: async () => {
      thread.postMessage('stop');
      const [seen] = await once(thread, 'message');
      return seen;
    },
  };
}

async function visit() {
  const visitor = new Visitor(workerData.url, workerData.token);
  const seen = { read: 0, registered: 0, refused: [] };
  let going = true;
  parentPort.once('message', () => {
    going = false;
  });
  const ask = async (what, request) => {
    while (going) {
      try {
        await request();
        seen[what]++;
      } catch (error) {
        seen.refused.push(`${what}: ${error.message} ${error.cause?.message ?? ''}`);
      }
      await sleep(50);
    }
  };
  const read = () => visitor.call('/samples?size=1');
  let sheets = 0;
  await Promise.all([
    ask('read', read),
    ask('read', read),
    ask('registered', () => visitor.upload(`busy-${sheets++}`, 2)),
  ]);
  parentPort.postMessage(seen);
}

if (!isMainThread) await visit();
