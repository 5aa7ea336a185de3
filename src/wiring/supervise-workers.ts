/**
 * Keeps the forked ingest workers of a single machine alive: a worker that dies is replaced, its claims are freed at
 * once; one that stops answering (frozen, stuck) is killed and replaced. Its lease would run out anyway; this is sooner.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { hostname } from 'node:os';
import type { Logger } from '../observability/log.js';
import type { WorkReport } from '../observability/metrics.js';
import { isStarted, sendSignal } from '../processes.js';
import type { BellMessage, EmbeddedQueue } from '../queue/embedded.js';

export interface SupervisionOptions {
  /** File of the worker process. */
  entry: string;
  count: number;
  /** The bell between the processes, when this machine has no other. */
  queue?: EmbeddedQueue | undefined;
  /** Frees the claims of a worker that is known to be dead. */
  releaseWorker?(name: string): Promise<unknown>;
  /** Hears what the workers have done, for metrics. */
  onWork?(report: WorkReport): void;
  /** Hears of each process that ended without being asked to. */
  onDeath?(): void;
  /** A worker silent for this long is taken for frozen, milliseconds. */
  silenceMs: number;
  /** Waits before the next start after one, two … deaths in a row, milliseconds; the last one stays. */
  restartAfterMs?: readonly number[];
  env: NodeJS.ProcessEnv;
  /** Flags of the engine, such as bounds of its memory. */
  execArgv?: string[];
  log: Logger;
}

export interface Supervisor {
  /** How many processes it keeps running. */
  wanted: number;
  pids(): number[];
  /** Asks the workers to hand back what they do; kills those that take longer than `graceMs`. */
  stop(graceMs: number): Promise<void>;
}

/** What a worker says besides ringing: that it lives, and what it has done since it last said so. */
export type WorkerMessage = BellMessage | { alive: true; work?: WorkReport };

const RESTART_AFTER_MS = [0, 100, 250, 500, 1000];
/** Killed for silence again and again, a worker is given twice as long each time: it may have been busy, not frozen. */
const PATIENCE_DOUBLES = 6;
/** Loading the program may take longer than that on a busy machine; so long may a worker take to its first beat. */
const START_MS = 60_000;
/** A worker that lived this long was well; the next death starts counting anew. */
const WELL_AFTER_MS = 30_000;

export function superviseWorkers(options: SupervisionOptions): Supervisor {
  const places = Array.from({ length: options.count }, (_, place) => new Place(place, options));
  return {
    wanted: options.count,
    pids: () => places.flatMap((place) => place.pid ?? []),
    stop: async (graceMs) => {
      await Promise.all(places.map((place) => place.stop(graceMs)));
    },
  };
}

class Place {
  #child: ChildProcess | undefined;
  #exit: Promise<void> = Promise.resolve();
  #deaths = 0;
  /** Kills for silence in a row. */
  #silences = 0;
  #generation = 0;
  #stopping = false;

  constructor(
    private readonly place: number,
    private readonly options: SupervisionOptions,
  ) {
    this.#start();
  }

  get pid(): number | undefined {
    return this.#child?.pid;
  }

  #start(): void {
    const { queue, log, silenceMs } = this.options;
    const name = `${hostname()}:${process.pid}:${this.place}.${++this.#generation}`;
    const child = this.#fork(name);
    if (child === undefined) {
      this.#restart();
      return;
    }
    this.#child = child;
    const born = performance.now();
    let heard = born;
    let started = false;
    child.on('message', (message) => {
      heard = performance.now();
      started = true;
      if ('work' in (message as object)) this.options.onWork?.((message as { work: WorkReport }).work);
    });
    const leave = queue?.join({
      send: (message) => child.connected && child.send(message, () => {}),
      onMessage: (listener) =>
        child.on('message', (message) => {
          if ('bell' in (message as WorkerMessage)) listener(message as BellMessage);
        }),
    });
    const lookEveryMs = silenceMs / 4;
    const patienceMs = silenceMs * 2 ** Math.min(this.#silences, PATIENCE_DOUBLES);
    let silent = false;
    let looked = born;
    const watch = setInterval(() => {
      // Were we held up ourselves, its messages may lie unread: it gets its time anew.
      if (performance.now() - looked > 2 * lookEveryMs) heard = performance.now();
      looked = performance.now();
      if (silent || looked - heard < (started ? patienceMs : Math.max(patienceMs, START_MS))) return;
      silent = true;
      log.warn(
        { worker: name, pid: child.pid, silentMs: Math.round(looked - heard) },
        'worker is silent, replacing it',
      );
      sendSignal(child, 'SIGKILL');
    }, lookEveryMs);
    this.#exit = new Promise((resolve) => {
      let ended = false;
      const end = (code: number | null, signal: NodeJS.Signals | null): void => {
        if (ended) return;
        ended = true;
        clearInterval(watch);
        leave?.();
        this.#child = undefined;
        if (silent) this.#silences++;
        else this.#silences = 0;
        if (!silent && performance.now() - born > WELL_AFTER_MS) this.#deaths = 0;
        if (!this.#stopping) {
          log.error({ worker: name, code, signal }, 'worker ended, replacing it');
          this.options.onDeath?.();
        }
        void Promise.resolve(this.options.releaseWorker?.(name))
          .catch((error) => log.error({ error, worker: name }, 'could not free the claims of a dead worker'))
          .finally(() => {
            resolve();
            if (!this.#stopping) this.#restart();
          });
      };
      child.once('exit', end);
      child.on('error', (error) => {
        log.error({ error, worker: name }, 'worker process failed');
        // Of one that never was there is no other end.
        if (!isStarted(child)) end(null, null);
      });
    });
  }

  /** Undefined where the machine has nothing left to start a process with: memory, files, processes. */
  #fork(name: string): ChildProcess | undefined {
    const { entry, env, log, execArgv = [] } = this.options;
    try {
      return fork(entry, [], {
        env: { ...env, WORKER_NAME: name },
        execArgv,
        stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      });
    } catch (error) {
      log.error({ error, worker: name }, 'no worker process can be started, trying again');
      return undefined;
    }
  }

  #restart(): void {
    const waits = this.options.restartAfterMs ?? RESTART_AFTER_MS;
    const wait = waits[Math.min(this.#deaths++, waits.length - 1)];
    setTimeout(() => this.#stopping || this.#start(), wait);
  }

  async stop(graceMs: number): Promise<void> {
    this.#stopping = true;
    const child = this.#child;
    if (!child || !isStarted(child)) return this.#exit;
    sendSignal(child, 'SIGTERM');
    const kill = setTimeout(() => sendSignal(child, 'SIGKILL'), graceMs);
    await this.#exit;
    clearTimeout(kill);
  }
}
