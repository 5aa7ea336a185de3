/** Parts of a file that never changes (RFC 9110, section 14): one range, of bytes, as long as the client means this file. */
import type { Request, Response } from 'express';
import { RegistryError } from '../registry/errors.js';

export interface BytePart {
  start: number;
  /** Before this one. */
  end: number;
}

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
  const ranges = request.range(size);
  // The last bytes of a file that has fewer are the whole.
  if (ranges === -1 && size > 0 && /^bytes=-0*[1-9]\d*$/.test(request.headers.range ?? '')) return undefined;
  if (ranges === -1) {
    throw new RegistryError(
      'range.unsatisfiable',
      `Range: ${String(request.headers.range).slice(0, 60)} begins behind the end of the file, which has ${size} bytes.`,
      { extra: { size } },
    );
  }
  if (ranges === undefined || ranges === -2 || ranges.type !== 'bytes' || ranges.length !== 1) return undefined;
  const { start, end } = ranges[0] as { start: number; end: number };
  response.statusCode = 206;
  response.setHeader('Content-Range', `bytes ${start}-${end}/${size}`);
  response.setHeader('Content-Length', end - start + 1);
  return { start, end: end + 1 };
}
