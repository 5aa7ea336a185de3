/** No byte of an answer to a change goes out before its line of the audit log is on the disk. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pipeline, Readable } from 'node:stream';
import express, { type Response } from 'express';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { holdAnswer } from '../../src/http/hold-answer.js';

let server: Server;
let url: string;
let answer: (response: Response) => void;
let until: () => Promise<void> | undefined;
beforeAll(async () => {
  const app = express();
  app.get('/', (_, response) => {
    holdAnswer(response, () => until());
    answer(response);
  });
  server = createServer(app);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
});
afterAll(() => server.close());

const LONG = 'line\n'.repeat(100_000);
const WAYS: [string, (response: Response) => void, string][] = [
  ['a JSON answer', (response) => void response.status(201).json({ made: 1 }), '{"made":1}'],
  ['an answer without a body', (response) => void response.status(204).end(), ''],
  ['a stream', (response) => pipeline(Readable.from([LONG, LONG]), response, () => undefined), LONG + LONG],
  // Each waits until the one before was taken.
  [
    'a stream of short pieces',
    (response) => pipeline(Readable.from(['a', 'b', 'c']), response, () => undefined),
    'abc',
  ],
  ['one that is written and ended at once', (response) => void (response.write('a') || response.end('b')), 'ab'],
];

it.each(WAYS)('%s waits until it is certain, and is whole then', async (_, way, expected) => {
  let tell = (): void => undefined;
  let asked = 0;
  const certain = new Promise<void>((resolve) => {
    tell = resolve;
  });
  until = () => {
    asked++;
    return certain;
  };
  let begun = (): void => undefined;
  const answering = new Promise<void>((resolve) => {
    begun = resolve;
  });
  answer = (response) => {
    way(response);
    begun();
  };
  let came = false;
  const call = fetch(url).then((response) => {
    came = true;
    return response.text();
  });
  await answering;
  // A second request on the same server is answered, so the first would have been.
  until = () => undefined;
  answer = (response) => void response.end('other');
  expect(await (await fetch(url)).text()).toBe('other');
  expect({ came, asked }).toEqual({ came: false, asked: 1 });
  tell();
  expect(await call).toBe(expected);
});

it('goes out all the same when it never gets certain', async () => {
  until = () => Promise.reject(new Error('the disk is gone'));
  answer = (response) => void response.json({ made: 1 });
  expect(await (await fetch(url)).json()).toEqual({ made: 1 });
});
