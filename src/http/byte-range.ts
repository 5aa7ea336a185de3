/** Parts of a file that never changes (RFC 9110, section 14): one range, of bytes, as long as the client means this file. */
import type { Request, Response } from 'express';
import { RegistryError } from '../registry/errors.js';

export interface BytePart {
  start: number;
  /** Before this one. */
  end: number;
}

/** The name of the unit is of any letter case. */
const ONE_RANGE = /^bytes=[ \t]*(\d*)-(\d*)[ \t]*$/i;

/**
 * Sets status and headers of the answer; the part that is to be sent, or undefined for the whole. Several ranges, other
 * units and what cannot be read are answered with the whole, as is a part of a file with another tag (`If-Range`).
 * @throws RegistryError range.unsatisfiable
 */
export function partAsked(request: Request, response: Response, size: number, etag: string): BytePart | undefined {
  response.setHeader('Accept-Ranges', 'bytes');
  response.setHeader('Content-Length', size);
  const held = request.headers['if-range'];
  if (request.method !== 'GET' || (held !== undefined && held !== etag)) return undefined;
  const part = readRange(request.headers.range ?? '', size);
  if (part === undefined) return undefined;
  const { start, end } = part;
  if (start >= size) {
    throw new RegistryError(
      'range.unsatisfiable',
      `Range: ${String(request.headers.range).slice(0, 60)} begins behind the end of the file, which has ${size} bytes.`,
      { extra: { size } },
    );
  }
  response.statusCode = 206;
  response.setHeader('Content-Range', `bytes ${start}-${end - 1}/${size}`);
  response.setHeader('Content-Length', end - start);
  return part;
}

/** Undefined for what cannot be read and for the last bytes of a file that has fewer, which are the whole. */
function readRange(header: string, size: number): BytePart | undefined {
  const [, first = '', last = ''] = ONE_RANGE.exec(header) ?? [];
  if (first === '') {
    const bytes = Number(last);
    return last === '' || (bytes > 0 && bytes >= size) ? undefined : { start: size - bytes, end: size };
  }
  const part = { start: Number(first), end: last === '' ? size : Math.min(Number(last) + 1, size) };
  return last !== '' && Number(last) < part.start ? undefined : part;
}
