/**
 * What other people ask of a service under attack, until standard input ends; then what they were answered, as JSON. A
 * process of its own: the loop that attacks must not count its own pauses as those of the service.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { ApiCaller, submissionIdOf } from '../support/api-caller.js';
import { plainSheet } from '../support/plain-sheet.js';
import { readUntil, Tally } from './mixed-load.js';
import { type Answers, BEGUN, ENOUGH, type Others } from './others.js';

const others = JSON.parse(process.argv[2] as string) as Others;
const WATCH_EVERY_MS = 2000;
const WATCH_MS = 20_000;
const stop = new AbortController();
process.stdin.once('end', () => stop.abort()).resume();

async function repeat(tally: Tally, ask: (at: number) => Promise<{ status: number }>): Promise<void> {
  for (let at = 0; !stop.signal.aborted; at++) {
    const began = performance.now();
    try {
      tally.add((await ask(at)).status, performance.now() - began);
    } catch (error) {
      tally.failures.push(String(error));
    }
  }
}

/** Small files, searches, and how long after the answer the webhook of a file came and its samples were found. */
async function work(token: string): Promise<Omit<Answers, 'reads'>> {
  const caller = new ApiCaller(others.url, token);
  const [uploads, searches, webhooks] = [new Tally(), new Tally(), new Tally()];
  const answered = new Map<string, number>();
  const found: Promise<void>[] = [];
  const lags = new Tally();
  const received = new Map<string, number>();
  const receiver = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const { data } = JSON.parse(Buffer.concat(parts).toString()) as { data: { submissionId: string } };
    received.set(data.submissionId, performance.now());
    response.end();
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;
  const made = await caller.send('POST', '/webhooks', { url });
  if (made.status !== 201) throw new Error(`POST /webhooks answered ${made.status}: ${made.text}`);

  const began = performance.now();
  await Promise.all([
    repeat(uploads, async (at) => {
      const answer = await caller.upload(plainSheet({ tag: `mine${at}`, rows: 10 }));
      if (answer.status < 300) answered.set(submissionIdOf(answer), performance.now());
      if (answer.status === 201 && found.length * WATCH_EVERY_MS < performance.now() - began) {
        found.push(watchFound(caller, `mine${at}_0`, lags));
      }
      return answer;
    }),
    repeat(searches, () => caller.get('/samples?text=read_1&size=5', { token: null })),
  ]);
  await Promise.all(found);
  const until = performance.now() + 10 * 60_000;
  while (received.size < answered.size && performance.now() < until) await sleep(50);
  receiver.close();
  for (const [id, at] of answered) {
    const came = received.get(id);
    if (came === undefined) webhooks.failures.push(`no webhook for ${id}`);
    else webhooks.add(200, Math.max(0, came - at));
  }
  return { uploads, searches, webhooks, found: lags, ids: [...answered.keys()] };
}

/** A sample of an upload that was just answered, looked for over and over: newer changes may push it out of sight. */
async function watchFound(caller: ApiCaller, name: string, lags: Tally): Promise<void> {
  const answered = performance.now();
  let missed = answered;
  for (let now = answered; now < answered + WATCH_MS && !stop.signal.aborted; now = performance.now()) {
    const answer = await caller.get(`/samples?text=${name}&size=1`, { token: null });
    const { page } = answer.json<{ page?: { totalElements: number } }>();
    if (page?.totalElements === 0) missed = now;
    await sleep(1000);
  }
  lags.add(200, missed - answered);
}

process.stdout.write(`${BEGUN}\n`);
const reading = readUntil(others, others.paths, others.perSecond, stop.signal, {
  atLeast: others.atLeast ?? 1,
  onEnough: () => process.stdout.write(`${ENOUGH}\n`),
});
const worked = others.token === undefined ? {} : await work(others.token);
const asPlain = (_: string, value: unknown) =>
  value instanceof Tally ? { answers: value.answers, failures: value.failures } : value;
process.stdout.write(JSON.stringify({ reads: await reading, ...worked }, asPlain), () => process.exit());
