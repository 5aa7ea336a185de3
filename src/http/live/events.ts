/** Server-sent events, and those of one submission: its status document after each change, whole, so that a reader may miss any of them. */
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Submission } from '../../submissions/submission.js';
import { isFinal } from '../../submissions/submission.js';

const HEARTBEAT_MS = 15_000;

/** All who follow one ask the store together, twice a second (limits/shared-looks.ts). */
export const READERS_OF_SUBMISSIONS = {
  most: { ofOne: 50, inAll: 500 },
  what: 'submissions',
  instead: 'ask for the status now and then',
};

export interface EventSource {
  watch: (id: string, signal: AbortSignal) => AsyncIterable<Submission>;
  /** Aborted when the service begins to stop. */
  stopping: AbortSignal;
  document: (submission: Submission) => Promise<unknown>;
}

/**
 * `progress` events, then one `end`. Event ids say how far the submission was; a reader that comes back with
 * `Last-Event-ID` gets the present state if it has not seen it, which is all that it can have missed. One that has seen
 * the end is answered 204, which tells browsers to stop coming back. A reader too slow for the events gets fewer.
 */
export async function sendEvents(
  request: IncomingMessage,
  response: ServerResponse,
  id: string,
  source: EventSource,
): Promise<void> {
  const gone = whenGone(response, source.stopping);
  const seen = request.headers['last-event-id'];
  const states = source.watch(id, gone)[Symbol.asyncIterator]();
  const present = await states.next();
  if (!present.done && isFinal(present.value.state) && eventId(present.value) === seen) {
    response.statusCode = 204;
    response.end();
    return;
  }
  await writeEvents(request, response, gone, async function* () {
    for (let step = present; !step.done; step = await states.next()) {
      const submission = step.value;
      if (eventId(submission) === seen) continue;
      const name = isFinal(submission.state) ? 'end' : 'progress';
      yield { id: eventId(submission), name, data: await source.document(submission) };
    }
  });
}

/** Aborted when the reader has left, perhaps before it is asked, or the service stops. */
export function whenGone(response: ServerResponse, stopping: AbortSignal): AbortSignal {
  const left = new AbortController();
  if (response.destroyed) left.abort();
  else response.once('close', () => left.abort());
  return AbortSignal.any([left.signal, stopping]);
}

const eventId = ({ attempts, cursor, updated }: Submission): string => `${attempts}-${cursor}-${updated}`;

export interface ServerEvent {
  id: string;
  name: string;
  data: unknown;
}

/** The events as they come, to their end or until the reader is `gone`; no event is asked for before the one before was taken. */
export async function writeEvents(
  request: IncomingMessage,
  response: ServerResponse,
  gone: AbortSignal,
  events: () => AsyncIterable<ServerEvent>,
): Promise<void> {
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
  // So that neither side takes the other for dead. To one that takes nothing nothing is said: each word would lie in memory, and
  // keep the connection from ending after its time of silence.
  const heartbeat = setInterval(() => {
    if (!response.writableNeedDrain) response.write(': still here\n\n');
  }, HEARTBEAT_MS);
  try {
    for await (const { id, name, data } of events()) {
      const flowing = response.write(`id: ${id}\nevent: ${name}\ndata: ${JSON.stringify(data)}\n\n`);
      if (!flowing) await drained(response, gone);
    }
  } finally {
    clearInterval(heartbeat);
    response.end();
  }
}

/** When the reader has taken what was written, or is gone, perhaps for long. */
const drained = (response: ServerResponse, gone: AbortSignal): Promise<unknown> =>
  once(response, 'drain', { signal: gone }).catch(() => undefined);
