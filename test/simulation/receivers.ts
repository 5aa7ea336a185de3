/** Those whom webhooks call: they keep what comes, and are at times away, busy, or gone before they have answered. */
import { NoAnswerError, type ReceiverAnswer } from '../../src/webhooks/post.js';
import { HEAVEN, type Life, type World } from './world.js';

/** One message that a receiver took. */
export interface Received {
  /** Number of the world's event at which it came. */
  at: number;
  address: string;
  /** The same in every attempt. */
  id: string;
  type: string;
  data: {
    submissionId?: string;
    changes?: { cursor: string; type: string; accession: string }[];
  };
}

type Post = (
  address: string,
  body: string,
  headers: unknown,
  options: { timeoutMs: number },
) => Promise<ReceiverAnswer>;

export class Receivers {
  readonly taken: Received[] = [];
  /** Share of the calls that do not go well. */
  failing = 0.2;

  constructor(private readonly world: World) {}

  /** The way from one process to all of them, and back. */
  wayFrom(life: Life): Post {
    const { world } = this;
    return (address, body, _headers, { timeoutMs }) =>
      new Promise((resolve, reject) => {
        const late = world.after(timeoutMs, life, 'a receiver does not answer', () =>
          reject(new NoAnswerError(timeoutMs)),
        );
        const answer = (status: number, retryAfterMs?: number): void => {
          world.after(world.latency(), life, `a receiver answers ${status}`, () => {
            late.cancelled = true;
            resolve({ status, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) });
          });
        };
        world.after(world.latency(), HEAVEN, '', () => {
          if (!world.random.chance(this.failing)) {
            this.#take(address, body);
            return answer(200);
          }
          const lot = world.random.next();
          if (lot < 0.3) return answer(503, 20_000);
          if (lot < 0.5) return answer(400);
          // Whether it takes the message or not, nobody hears of it.
          if (lot < 0.8) this.#take(address, body);
        });
      });
  }

  #take(address: string, body: string): void {
    const message = JSON.parse(body) as Pick<Received, 'id' | 'type' | 'data'>;
    this.world.note(address.slice('https://'.length), `takes ${message.type}`);
    this.taken.push({ at: this.world.happened, address, ...message });
  }
}
