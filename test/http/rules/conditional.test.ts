/** Conditional requests and requests that may be sent again: what their headers mean. */
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { FORMAT_IDS } from '../../../src/formats/names.js';
import {
  answeredFromTag,
  conditionsOf,
  idempotencyKey,
  sayReplayed,
  tagInFormat,
} from '../../../src/http/conditional.js';

const requestWith = (headers: Record<string, string>): IncomingMessage =>
  Object.assign(new IncomingMessage(new Socket()), { method: 'GET', headers });
const responseTo = (request: IncomingMessage): ServerResponse => new ServerResponse(request);

const TAG = '"abc-DEF_123"';

describe('the tag of a sample in a format of others', () => {
  it.each(FORMAT_IDS)('%s is one of its own, and stands for the sample in the condition of a write', (format) => {
    const tag = tagInFormat(TAG, format);
    expect(tag).toBe(`"abc-DEF_123-${format}"`);
    for (const header of ['if-match', 'if-none-match'] as const) {
      const sent = `"other", ${tag}, W/${tag}`;
      const conditions = conditionsOf(requestWith({ [header]: sent }));
      expect(header === 'if-match' ? conditions.ifMatch : conditions.ifNoneMatch).toBe(`"other", ${TAG}, W/${TAG}`);
    }
  });

  it('stays as it is where no format is named at its end', () => {
    for (const tag of [TAG, '*', '"a-jsonldx"', '"a-jsonld-b"', '"ajsonld"', '"a-tsv"'])
      expect(conditionsOf(requestWith({ 'if-match': tag, 'if-none-match': tag }))).toEqual({
        ifMatch: tag,
        ifNoneMatch: tag,
      });
    expect(conditionsOf(requestWith({}))).toEqual({ ifMatch: undefined, ifNoneMatch: undefined });
  });
});

describe('an answer that its client holds already', () => {
  it.each([
    [TAG, true],
    [`W/${TAG}`, true],
    [`"a", ${TAG}`, true],
    ['*', true],
    ['"a"', false],
    [undefined, false],
  ])('is known by If-None-Match: %s (%s)', (held, expected) => {
    const request = requestWith(held === undefined ? {} : { 'if-none-match': held });
    const response = responseTo(request);
    expect(answeredFromTag(request, response, TAG)).toBe(expected);
    expect(response.getHeader('ETag')).toBe(TAG);
    expect([response.statusCode, response.writableEnded]).toEqual(expected ? [304, true] : [200, false]);
  });
});

describe('an Idempotency-Key', () => {
  it('is 1 to 255 characters of ASCII that can be seen, blanks among them, or not there', () => {
    const keyOf = (key: string) => idempotencyKey(requestWith({ 'idempotency-key': key }));
    for (const key of ['a', ' a key~', 'k'.repeat(255)]) expect(keyOf(key)).toBe(key);
    expect(idempotencyKey(requestWith({}))).toBeUndefined();
    for (const key of ['', 'k'.repeat(256), 'a\tb', 'a\x7f', 'ü'])
      expect(() => keyOf(key)).toThrow(
        expect.objectContaining({
          code: 'request.invalid',
          message: 'The Idempotency-Key must be 1 to 255 visible ASCII characters.',
        }),
      );
  });

  it('that was used before is said of the answer, and of no other', () => {
    for (const replayed of [true, false]) {
      const response = responseTo(requestWith({}));
      sayReplayed(response, replayed);
      expect(response.getHeader('Idempotent-Replayed')).toBe(replayed ? 'true' : undefined);
    }
  });
});
