/** Clients of a running service, bounded in number and rate, and what they were answered. */
import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { plainSheet } from '../support/plain-sheet.js';
import type { TestServer } from '../support/server.js';

export class Tally {
  readonly statuses = new Map<number, number>();
  readonly failures: string[] = [];
  readonly answers: [status: number, ms: number][] = [];

  get times(): number[] {
    return this.answers.map(([, ms]) => ms);
  }

  add(status: number, ms: number): void {
    this.statuses.set(status, (this.statuses.get(status) ?? 0) + 1);
    this.answers.push([status, ms]);
  }

  /** Answers outside of these statuses, and connections that broke. */
  unexpected(...wanted: number[]): string[] {
    const others = [...this.statuses].filter(([status]) => !wanted.includes(status));
    return [...others.map(([status, count]) => `${count} × ${status}`), ...this.failures];
  }

  /** Milliseconds that this share of the answers took at most. */
  quantile(share: number): number {
    const sorted = this.times.toSorted((a, b) => a - b);
    return Math.round((sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0) * 10) / 10;
  }

  line(what: string): string {
    const counts = [...this.statuses].map(([status, count]) => `${count} × ${status}`).join(', ') || 'none';
    const times = [0.5, 0.95, 0.99, 1].map((share) => this.quantile(share)).join(' / ');
    return `${what}: ${counts}; p50 / p95 / p99 / worst ${times} ms`;
  }
}

/** Small uploads one after the other on each of `clients` connections, until the signal. */
export async function uploadUntil(
  server: TestServer,
  token: string,
  clients: number,
  signal: AbortSignal,
): Promise<Tally> {
  const tally = new Tally();
  await Promise.all(
    Array.from({ length: clients }, async (_, client) => {
      for (let n = 0; !signal.aborted; n++) {
        const began = performance.now();
        const file = plainSheet({ tag: `load${client}x${n}`, rows: 20 });
        try {
          const { status } = await server.upload(file, { token });
          tally.add(status, performance.now() - began);
          if (status === 429) await sleep(1_000);
        } catch (error) {
          tally.failures.push(String(error));
        }
      }
    }),
  );
  return tally;
}

/**
 * `perSecond` reads of these addresses, begun at even distances whatever the answers take, until the signal, and until
 * `atLeast` of them are answered, which `onEnough` hears of.
 */
export async function readUntil(
  server: { url: string },
  paths: string[],
  perSecond: number,
  signal: AbortSignal,
  { atLeast = 0, onEnough }: { atLeast?: number; onEnough?: () => void } = {},
): Promise<Tally> {
  const tally = new Tally();
  const agent = new Agent({ keepAlive: true, maxSockets: 64 });
  const running = new Set<Promise<void>>();
  const began = performance.now();
  const enough = (): boolean => tally.answers.length >= atLeast || tally.failures.length > 0;
  let reported = false;
  for (let n = 0; !signal.aborted || !enough(); n++) {
    if (!reported && enough()) {
      reported = true;
      onEnough?.();
    }
    const read = readOnce(`${server.url}${paths[n % paths.length]}`, agent, tally).finally(() => running.delete(read));
    running.add(read);
    const wait = began + ((n + 1) * 1000) / perSecond - performance.now();
    if (wait > 1) await sleep(wait);
  }
  await Promise.all(running);
  if (!reported) onEnough?.();
  agent.destroy();
  return tally;
}

export function readOnce(url: string, agent: Agent, tally: Tally): Promise<void> {
  const began = performance.now();
  return new Promise((resolve) => {
    const sent = request(url, { agent }, (response) => {
      response.resume();
      response.on('end', () => {
        tally.add(response.statusCode ?? 0, performance.now() - began);
        resolve();
      });
    });
    sent.on('error', (error) => {
      tally.failures.push(String(error));
      resolve();
    });
    sent.end();
  });
}

/** Accessions of some public samples to read. */
export async function publicSamples(server: TestServer, count: number): Promise<string[]> {
  const { id } = await server.uploadAndSettle(plainSheet({ tag: 'read', rows: count }));
  return (await server.mapping(id)).sampleNameAccessionPairs.map(
    ({ sampleAccession }) => `/samples/${sampleAccession}`,
  );
}

/** A value of the service's metrics. */
export async function metric(server: TestServer, name: string): Promise<number> {
  const { text } = await server.get('/metrics');
  const value = new RegExp(`^${name} ([\\d.e+-]+)$`, 'm').exec(text)?.[1];
  if (value === undefined) throw new Error(`/metrics has no ${name}.`);
  return Number(value);
}
