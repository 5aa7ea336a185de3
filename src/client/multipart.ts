import { randomBytes } from 'node:crypto';
import { open, stat } from 'node:fs/promises';
import { basename } from 'node:path';

export interface MultipartBody {
  headers: Record<string, string>;
  /** Opens the body anew for each attempt; read at the speed of the connection, so a file of any size takes no memory. */
  open(): AsyncIterable<Uint8Array>;
  /** Bytes of the file that are sent. */
  fileSize: number;
}

/** A form with its option fields first, so that a server knows them before the first byte of the file. */
export async function multipartFile(
  path: string,
  fields: Record<string, string>,
  options: {
    fileName?: string | undefined;
    onBytes?: ((sent: number, size: number) => void) | undefined;
    /** Bytes of the file that are sent at most. */
    most?: number;
  } = {},
): Promise<MultipartBody> {
  const orTakenAway = (error: NodeJS.ErrnoException) => {
    throw takenAway(path, error);
  };
  const before = await stat(path).catch(orTakenAway);
  const size = Math.min(before.size, options.most ?? Number.POSITIVE_INFINITY);
  const boundary = `sample-registry-${randomBytes(16).toString('hex')}`;
  const head = Buffer.from(formHead(boundary, fields, options.fileName ?? basename(path)));
  const tail = Buffer.from(`\r\n--${boundary}--\r\n`);
  return {
    headers: {
      'content-type': `multipart/form-data; boundary=${boundary}`,
      'content-length': String(head.length + size + tail.length),
    },
    fileSize: size,
    async *open() {
      yield head;
      let sent = 0;
      // `end` keeps the promise of Content-Length where the file grows meanwhile.
      if (size > 0) {
        const file = await open(path).catch(orTakenAway);
        for await (const chunk of file.createReadStream({ end: size - 1, highWaterMark: 256 * 1024 })) {
          sent += (chunk as Buffer).length;
          yield chunk as Buffer;
          options.onBytes?.(sent, size);
        }
      }
      // Without its tail the form is not whole, and nothing of the file is registered.
      const now = await stat(path).catch(orTakenAway);
      const changed = now.size !== before.size || now.mtimeMs !== before.mtimeMs;
      if (sent < size || (changed && options.most === undefined)) {
        throw new Error(
          `${path} was written to while it was sent: it had ${before.size} bytes and has ${now.size}. Send it once it is complete.`,
        );
      }
      yield tail;
    },
  };
}

/** Of one that was there when its sending began; any other fault of the disk as it is. */
function takenAway(path: string, error: NodeJS.ErrnoException): Error {
  if (error.code !== 'ENOENT') return error;
  const message = `${path} was taken away, or given another name, before all of it was sent. Send it again from where it is now.`;
  return Object.assign(new Error(message), { code: error.code });
}

function formHead(boundary: string, fields: Record<string, string>, fileName: string): string {
  const parts = Object.entries(fields).map(
    ([name, value]) => `--${boundary}\r\nContent-Disposition: form-data; name="${quoted(name)}"\r\n\r\n${value}\r\n`,
  );
  return `${parts.join('')}--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="${quoted(fileName)}"\r\nContent-Type: application/octet-stream\r\n\r\n`;
}

/**
 * Escapes as browsers do (HTML, "multipart/form-data encoding algorithm"). Other control characters may not stand in the head of a part; the
 * service takes them out of names, too.
 */
const quoted = (text: string): string =>
  text
    .replace(/\r?\n|\r/g, '%0A')
    .replace(/"/g, '%22')
    .replace(/\p{Cc}/gu, '');
