/**
 * The doorbell of a single machine: rings travel between the API process and its forked workers over their IPC
 * channel, or stay within one process. Nothing is durable here; workers also ask the store by themselves (submissions/processing/work.ts).
 */
import { EventEmitter } from 'node:events';
import type { Consumer, Queue, Ring } from '../submissions/queue.js';
import type { Lane } from '../submissions/submission.js';

/** What travels between processes. */
export type BellMessage =
  | { bell: 'ring'; lane: Lane }
  | { bell: 'foretold'; lane: Lane }
  | { bell: 'ended'; submissionId: string };

/** One end of a channel to another process. */
export interface BellLink {
  send(message: BellMessage): void;
  onMessage(listener: (message: BellMessage) => void): void;
}

export class EmbeddedQueue implements Queue {
  readonly #links = new Set<BellLink>();
  readonly #bell = new EventEmitter().setMaxListeners(0);

  /** Joins another process; the answer takes it away again. */
  join(link: BellLink): () => void {
    this.#links.add(link);
    link.onMessage((message) => this.#hear(message));
    return () => this.#links.delete(link);
  }

  #hear(message: BellMessage): void {
    if (message.bell === 'ring') this.#bell.emit(`ring:${message.lane}`);
    else if (message.bell === 'foretold') this.#bell.emit(`foretold:${message.lane}`);
    else this.#bell.emit(`ended:${message.submissionId}`);
  }

  async publish({ lane }: Ring): Promise<void> {
    this.#tell({ bell: 'ring', lane });
  }

  foretell(lane: Lane): void {
    this.#tell({ bell: 'foretold', lane });
  }

  onForetold(lane: Lane, prepare: () => void): void {
    this.#bell.on(`foretold:${lane}`, prepare);
  }

  async announce(submissionId: string): Promise<void> {
    this.#tell({ bell: 'ended', submissionId });
  }

  #tell(message: BellMessage): void {
    this.#hear(message);
    for (const link of this.#links) link.send(message);
  }

  consume(lane: Lane, concurrency: number, handle: () => Promise<void>): Consumer {
    const running = new Set<Promise<void>>();
    let stopped = false;
    let missed = false;
    const ring = (): void => {
      if (stopped) return;
      if (running.size >= concurrency) {
        missed = true;
        return;
      }
      const turn: Promise<void> = handle()
        .catch(() => {
          setTimeout(ring, 1000).unref();
        })
        .finally(() => {
          running.delete(turn);
          if (missed) {
            missed = false;
            ring();
          }
        });
      running.add(turn);
    };
    this.#bell.on(`ring:${lane}`, ring);
    return {
      stop: async () => {
        stopped = true;
        this.#bell.off(`ring:${lane}`, ring);
        await Promise.all(running);
      },
    };
  }

  waitFor(submissionId: string, timeoutMs: number): Promise<boolean> {
    return new Promise((resolve) => {
      const event = `ended:${submissionId}`;
      const settle = (heard: boolean) => () => {
        clearTimeout(timer);
        this.#bell.off(event, onEnded);
        resolve(heard);
      };
      const onEnded = settle(true);
      const timer = setTimeout(settle(false), timeoutMs);
      this.#bell.on(event, onEnded);
    });
  }

  async check(): Promise<void> {}

  async close(): Promise<void> {
    this.#links.clear();
  }
}
