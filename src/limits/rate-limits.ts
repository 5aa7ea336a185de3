import { type RateLimiterAbstract, RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import { RegistryError } from '../registry/errors.js';
import { type RatePolicy, REQUEST_KINDS, type RequestKind, WINDOW_SECONDS } from './policy.js';

/** What is left of a limit after a request, as its answer tells. */
export interface RateState {
  kind: RequestKind;
  /** Requests per window. */
  quota: number;
  remaining: number;
  /** Seconds until all of it is there again. */
  resetSeconds: number;
}

/** A Redis that several processes share; absent for one process. */
export interface SharedCounters {
  client: unknown;
  prefix: string;
}

/**
 * Counts requests in windows of a minute. Reads are always counted in this process: they must not wait for another
 * machine. The others are counted in Redis where there is one; while it is away, each process counts by itself.
 */
export class RateLimits {
  private readonly limiters = new Map<RequestKind, RateLimiterAbstract>();
  private readonly callers = new Callers();

  constructor(policy: RatePolicy, shared?: SharedCounters) {
    for (const kind of REQUEST_KINDS) {
      const points = policy[kind];
      if (points === 0) continue;
      const options = { points, duration: WINDOW_SECONDS, keyPrefix: `${shared?.prefix ?? ''}rate:${kind}` };
      const memory = new RateLimiterMemory(options);
      const inRedis = shared !== undefined && kind !== 'read';
      this.limiters.set(
        kind,
        inRedis
          ? new RateLimiterRedis({
              ...options,
              storeClient: shared.client,
              insuranceLimiter: memory,
              rejectIfRedisNotReady: true,
              // Who is over the limit is refused from memory, without another round trip.
              inMemoryBlockOnConsumed: points + 1,
            })
          : memory,
      );
    }
  }

  /**
   * Counts one request of this account or address; undefined when its kind is not limited.
   * @throws RegistryError rate.limited with `retryAfter` in seconds
   */
  async count(kind: RequestKind, who: string): Promise<RateState | undefined> {
    const limiter = this.limiters.get(kind);
    if (!limiter) return undefined;
    try {
      return stateOf(kind, limiter.points, await consume(limiter, this.callers.nameOf(`${kind} ${who}`, who)));
    } catch (refused) {
      if (!(refused instanceof RateLimiterRes)) throw refused;
      throw new TooManyRequests(stateOf(kind, limiter.points, refused));
    }
  }
}

/**
 * Who is refused from memory is, by the library, until a time of the clock of the day. One that is further away than a window is of a clock
 * that was set back since, and over.
 */
async function consume(limiter: RateLimiterAbstract, name: string): Promise<RateLimiterRes> {
  try {
    return await limiter.consume(name);
  } catch (refused) {
    const isLong = refused instanceof RateLimiterRes && refused.msBeforeNext > WINDOW_SECONDS * 1000;
    if (!isLong || !(limiter instanceof RateLimiterRedis)) throw refused;
    limiter.deleteInMemoryBlockedAll();
    return limiter.consume(name);
  }
}

/** Callers that are distinguished in one window; the limiters keep an entry for each of them for a minute. */
const MOST_CALLERS = 100_000;

/** So that no number of addresses fills the memory: beyond the bound, who is new in a window shares one count. */
class Callers {
  private known = new Set<string>();
  private until = 0;

  nameOf(key: string, who: string): string {
    const now = performance.now();
    if (now >= this.until) {
      this.known = new Set();
      this.until = now + WINDOW_SECONDS * 1000;
    }
    if (this.known.has(key)) return who;
    if (this.known.size >= MOST_CALLERS) return 'everybody else';
    this.known.add(key);
    return who;
  }
}

const PLAIN: Record<RequestKind, string> = {
  read: 'reads from this address',
  write: 'changes by this account',
  upload: 'uploads by this account',
  'sign-in': 'attempts to sign in from this address',
};

export class TooManyRequests extends RegistryError {
  constructor(readonly state: RateState) {
    const { kind, quota, resetSeconds } = state;
    super('rate.limited', `More than ${quota} ${PLAIN[kind]} in ${WINDOW_SECONDS} s; try again in ${resetSeconds} s.`, {
      extra: { retryAfter: resetSeconds },
    });
  }
}

function stateOf(kind: RequestKind, quota: number, result: RateLimiterRes): RateState {
  return {
    kind,
    quota,
    remaining: Math.max(0, result.remainingPoints),
    // Of a clock that was set back in this window, the library tells by how much.
    resetSeconds: Math.min(WINDOW_SECONDS, Math.max(1, Math.ceil(result.msBeforeNext / 1000))),
  };
}

/** The header fields of draft-ietf-httpapi-ratelimit-headers-10. */
export function rateHeaders(state: RateState): [name: string, value: string][] {
  return [
    ['RateLimit-Policy', `"${state.kind}";q=${state.quota};w=${WINDOW_SECONDS}`],
    ['RateLimit', `"${state.kind}";r=${state.remaining};t=${state.resetSeconds}`],
  ];
}
