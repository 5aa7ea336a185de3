/**
 * Pools of connections that the next store of the same settings takes over: PostgreSQL starts a process for each
 * connection, which costs thirty times what emptying a schema does. What a store sees of its pool is as it is otherwise.
 */
import pg from 'pg';

export class KeptPools {
  private readonly kept = new Map<string, pg.Pool[]>();

  readonly open = (settings: pg.PoolConfig): pg.Pool => {
    const { connectionString, options, max } = settings;
    const same = JSON.stringify([connectionString, options, max]);
    const pools = this.kept.get(same) ?? [];
    this.kept.set(same, pools);
    const pool = pools.pop() ?? new pg.Pool({ ...settings, idleTimeoutMillis: 0 });
    return lent(pool, () => pools.push(pool));
  };

  async close(): Promise<void> {
    const pools = [...this.kept.values()].flat();
    this.kept.clear();
    for (const pool of pools) await pool.end();
  }
}

/** A pool whose end is that of a loan: when the last connection has been given back. */
function lent(pool: pg.Pool, giveBack: () => void): pg.Pool {
  let ending = false;
  let ended = false;
  const connect = (): Promise<pg.PoolClient> =>
    ending ? Promise.reject(new Error('Cannot use a pool after calling end on the pool')) : pool.connect();
  const end = async (): Promise<void> => {
    ending = true;
    while (pool.totalCount > pool.idleCount || pool.waitingCount > 0) await new Promise(setImmediate);
    ended = true;
    // Who took it over hears no more of it; an idle connection that breaks is nobody's fault.
    pool.removeAllListeners().on('error', () => undefined);
    giveBack();
  };
  return new Proxy(pool, {
    get: (target, name) => {
      if (name === 'connect') return connect;
      if (name === 'end') return end;
      if (name === 'ending') return ending;
      if (name === 'ended') return ended;
      const value: unknown = Reflect.get(target, name);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}
