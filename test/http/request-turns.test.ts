/** Requests that arrive together, each of which takes the processor long: others are answered between two of them. */
import { ServerResponse } from 'node:http';
import { setImmediate as turn } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type Service, startService } from './service.js';

const AT_ONCE = 20;

describe('many dear requests at once', () => {
  let service: Service;
  let token: string;
  const sample = { name: 'liver 1', release: '2020-01-01', characteristics: {} };
  beforeAll(async () => {
    service = await startService();
    token = await service.token('lab-wide');
    expect((await service.send('POST', '/samples', sample, { token })).status).toBe(201);
  });
  afterAll(() => service.stop());

  it.each([
    ['reads of a sample', '/samples/SAMR1'],
    ['another route', '/checklists'],
    ['a body', '/validate', JSON.stringify(sample)],
  ])('go on in turns of the event loop of their own: %s', async (_, path, body?: string) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const askAll = () =>
      Promise.all(
        Array.from({ length: AT_ONCE }, async () => {
          const answer = await fetch(service.url + path, { headers, ...(body && { method: 'POST', body }) });
          await answer.arrayBuffer();
          return answer.status;
        }),
      );
    // Connections that are there: what arrives on new ones is spread over turns.
    await askAll();
    let done = 0;
    // To print an answer or to read a body takes 30 ms, on a clock that knows of nothing else.
    if (body === undefined) {
      const { end } = ServerResponse.prototype;
      vi.spyOn(ServerResponse.prototype, 'end').mockImplementation(function (this: ServerResponse, ...chunk) {
        done++;
        return Reflect.apply(end, this, chunk);
      });
    } else {
      const { parse } = JSON;
      vi.spyOn(JSON, 'parse').mockImplementation((text, ...reviver) => {
        if (text.includes(sample.name)) done++;
        return parse(text, ...reviver);
      });
    }
    vi.spyOn(performance, 'now').mockImplementation(() => 1e9 + 30 * done);
    const answers = askAll();
    const inTurns: number[] = [];
    while (done < AT_ONCE) {
      const before = done;
      await turn();
      inTurns.push(done - before);
    }
    expect(new Set(await answers)).toEqual(new Set([200]));
    vi.restoreAllMocks();
    // One that began in its turn, and one that had waited.
    expect(Math.max(...inTurns)).toBeLessThanOrEqual(2);
  });
});
