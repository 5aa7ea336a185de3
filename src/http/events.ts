/** Server-sent events of one submission: its status document after each change, whole, so that a reader may miss any of them. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Submission } from '../submissions/submission.js';
import { isFinal } from '../submissions/submission.js';

const HEARTBEAT_MS = 15_000;

export interface EventSource {
  watch: (id: string, signal: AbortSignal) => AsyncIterable<Submission>;
  /** Aborted when the service begins to stop. */
  stopping: AbortSignal;
  document: (submission: Submission) => Promise<Record<string, unknown>>;
}

/**
 * `progress` events, then one `end`. Event ids say how far the submission was; a reader that comes back gets the
 * present state first, which is all that it can have missed. A reader too slow for the events gets fewer of them.
 */
export async function sendEvents(
  request: IncomingMessage,
  response: ServerResponse,
  id: string,
  source: EventSource,
): Promise<void> {
  const left = new AbortController();
  response.once('close', () => left.abort());
  const gone = AbortSignal.any([left.signal, source.stopping]);
  response.writeHead(200, {
    'Content-Type': 'text/event-stream',
    'Cache-Control': 'no-store',
    'X-Accel-Buffering': 'no',
  });
  if (request.method === 'HEAD') {
    response.end();
    return;
  }
  response.write('retry: 2000\n\n');
  const heartbeat = setInterval(() => response.write(': still here\n\n'), HEARTBEAT_MS);
  try {
    for await (const submission of source.watch(id, gone)) {
      const data = JSON.stringify(await source.document(submission));
      const name = isFinal(submission.state) ? 'end' : 'progress';
      const flowing = response.write(
        `id: ${submission.attempts}-${submission.cursor}-${submission.updated}\nevent: ${name}\ndata: ${data}\n\n`,
      );
      if (!flowing) await drained(response, gone);
    }
  } finally {
    clearInterval(heartbeat);
    response.end();
  }
}

function drained(response: ServerResponse, gone: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    response.once('drain', resolve);
    gone.addEventListener('abort', () => resolve(), { once: true });
  });
}
