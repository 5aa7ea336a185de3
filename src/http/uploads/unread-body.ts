/**
 * An answer given before the body was read (too large, no token, a body that nobody wants). Left alone, Node would read all that the client
 * declared; cut at once, or sent `Connection: close`, which makes Node cut it, the client would see a reset instead of
 * the answer. So: read on a little while the client notices; a body that ends meanwhile leaves the connection usable,
 * a longer one is cut. A connection that is to end with the answer (HTTP/1.0 and `Connection: close`, as nginx and Python's own client
 * send it; a service that leaves) is ended by us and read on in the same way: Node would cut it as soon as the answer is written.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import onHeaders from 'on-headers';

const LINGER_MS = 2_000;
const LINGER_BYTES = 8 * 1024 * 1024;

/** Call before the request is answered. Does nothing when the whole body has arrived by then. */
export function endUnread(request: IncomingMessage, response: ServerResponse): void {
  const declared = Number(request.headers['content-length'] ?? 0);
  const hasBody = declared > 0 || request.headers['transfer-encoding'] !== undefined;
  if (hasBody) onHeaders(response, () => linger(request, response));
}

function linger(request: IncomingMessage, response: ServerResponse): void {
  if (request.readableEnded || request.destroyed) return;
  const { socket } = request;
  // By this Node ends a connection after its last answer.
  socket.destroySoon = () => socket.end();
  const through = () => {
    clearTimeout(timer);
    Reflect.deleteProperty(socket, 'destroySoon');
    if (socket.writableEnded) socket.destroySoon();
  };
  let seen = 0;
  const end = () => {
    clearTimeout(timer);
    socket.destroy();
  };
  const timer = setTimeout(end, LINGER_MS);
  timer.unref();
  request.once('end', through);
  request.once('close', () => clearTimeout(timer));
  request.on('error', () => undefined);
  // Who has begun to read it and given up holds it back, or keeps what comes.
  request.removeAllListeners('data');
  request.on('data', (chunk: Buffer) => {
    seen += chunk.length;
    if (seen > LINGER_BYTES && response.writableFinished) end();
  });
  request.resume();
}
