/**
 * A chunk of a chunked body takes 7 µs of the thread that answers all requests, and may be one byte long: ten uploads in such chunks kept
 * others waiting for 20 s. A client that writes each line of a sheet by itself is far from what is refused.
 */
import type { IncomingMessage } from 'node:http';

/** Of each body, however short they are. */
const FREE_CHUNKS = 5_000;
/** On average, of a body that has more. */
const LEAST_BYTES = 16;

export const TINY_CHUNKS = 'TINY_CHUNKS';

/** Call before the request is read. `refuse` is called once, and nothing of the body is read any more. */
export function refuseTinyChunks(request: IncomingMessage, refuse: () => void): void {
  if (request.headers['transfer-encoding'] === undefined) return;
  const push = request.push.bind(request);
  let chunks = 0;
  let bytes = 0;
  let refused = false;
  request.push = (chunk: Buffer | null): boolean => {
    if (chunk !== null) {
      chunks += 1;
      bytes += chunk.length;
      if (!refused && chunks > FREE_CHUNKS && bytes < chunks * LEAST_BYTES) {
        refused = true;
        refuse();
      }
    }
    return refused ? false : push(chunk);
  };
}
