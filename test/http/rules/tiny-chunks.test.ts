/** From which chunks on a body is refused. */
import type { IncomingMessage } from 'node:http';
import { expect, it } from 'vitest';
import { refuseTinyChunks } from '../../../src/http/tiny-chunks.js';

/** What a body in such pieces brings to its reader, and how often it is refused. */
function sent(count: number, bytes: number, headers: Record<string, string>) {
  let [read, refused] = [0, 0];
  const request = { headers, push: () => ++read > 0 } as unknown as IncomingMessage;
  refuseTinyChunks(request, () => refused++);
  const chunk = Buffer.alloc(bytes);
  let wantsMore = true;
  for (let at = 0; at < count; at++) wantsMore = request.push(chunk);
  const end = request.push(null);
  return { read, refused, wantsMore, end };
}
const CHUNKED = { 'transfer-encoding': 'chunked' };

it('five thousand of them may be of any length, and more of sixteen bytes on average', () => {
  expect(sent(5_000, 1, CHUNKED)).toEqual({ read: 5_001, refused: 0, wantsMore: true, end: true });
  expect(sent(5_001, 16, CHUNKED)).toEqual({ read: 5_002, refused: 0, wantsMore: true, end: true });
});

it('one more is refused once, and nothing behind it is read', () => {
  expect(sent(5_001, 1, CHUNKED)).toEqual({ read: 5_000, refused: 1, wantsMore: false, end: false });
  expect(sent(9_000, 15, CHUNKED)).toEqual({ read: 5_000, refused: 1, wantsMore: false, end: false });
});

it('a body that has a length comes as the network brings it', () => {
  const { read, refused } = sent(6_000, 1, { 'content-length': '6000' });
  expect([read, refused]).toEqual([6_001, 0]);
});
