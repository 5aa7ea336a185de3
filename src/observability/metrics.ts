/**
 * What Prometheus reads. Counting costs well under a microsecond; everything that has to be asked of a store is asked
 * when the metrics are read, and at most once in a few seconds however often that is.
 */
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

/** What operators want to know of the queue, from the store. */
export interface QueueFigures {
  states: Record<string, number>;
  waiting: number;
  running: number;
  /** Age of the oldest waiting submission, milliseconds. */
  oldestWaiting?: number;
}

/** Times are milliseconds since 1970; `moved` 0: never. */
export interface IndexFigures {
  lag: number;
  since?: number;
  moved: number;
  nameOnly: number;
}

export interface Figures {
  /** Of a worker process: what it did since it was last asked. */
  work?: () => WorkReport | undefined;
  queue?: () => Promise<QueueFigures>;
  /** `oldest`: milliseconds since 1970. */
  webhooks?: () => Promise<{ waiting: number; oldest?: number }>;
  /** Changes that the search index has not taken in, when the oldest was written, when something was last taken in. */
  index?: () => Promise<IndexFigures>;
}

/** What a worker process did in some time; travels between processes. */
export interface WorkReport {
  chunks: number;
  /** Rows by outcome. */
  rows: { created: number; updated: number; unchanged: number; rejected: number };
  /** Submissions by the state they ended in. */
  ended: Record<string, number>;
  /** Claims lost to another worker. */
  takeovers: number;
}

/** Counters and timings of one process. */
export class Metrics {
  readonly registry = new Registry();
  private readonly requests = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from the arrival of a request to the end of its answer, by method, route and status.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 60],
    registers: [this.registry],
  });
  private readonly limited = new Counter({
    name: 'http_requests_limited_total',
    help: 'Requests refused because of a rate limit or a quota.',
    labelNames: ['kind'],
    registers: [this.registry],
  });
  private readonly rows = new Counter({
    name: 'ingest_rows_total',
    help: 'Rows of tables processed, by outcome.',
    labelNames: ['outcome'],
    registers: [this.registry],
  });
  private readonly chunks = new Counter({
    name: 'ingest_chunks_total',
    help: 'Chunks of rows committed.',
    registers: [this.registry],
  });
  private readonly ended = new Counter({
    name: 'submissions_ended_total',
    help: 'Submissions that have ended, by state.',
    labelNames: ['state'],
    registers: [this.registry],
  });
  private readonly takeovers = new Counter({
    name: 'lease_takeovers_total',
    help: 'Claims that a worker lost because another took over its submission.',
    registers: [this.registry],
  });
  private readonly deliveries = new Counter({
    name: 'webhook_attempts_total',
    help: 'Attempts to deliver an event to a webhook, by what became of the delivery.',
    labelNames: ['state'],
    registers: [this.registry],
  });

  constructor(private readonly figures: Figures = {}) {
    collectDefaultMetrics({ register: this.registry });
    this.addQueue(figures.queue);
    this.addWebhooks(figures.webhooks);
    this.addIndex(figures.index);
  }

  requestEnded(method: string, route: string, status: number, seconds: number): void {
    this.requests.observe({ method, route, status }, seconds);
  }

  requestLimited(kind: string): void {
    this.limited.inc({ kind });
  }

  workDone({ chunks, rows, ended, takeovers }: WorkReport): void {
    this.chunks.inc(chunks);
    this.takeovers.inc(takeovers);
    for (const [outcome, count] of Object.entries(rows)) if (count > 0) this.rows.inc({ outcome }, count);
    for (const [state, count] of Object.entries(ended)) this.ended.inc({ state }, count);
  }

  webhookAttempted(state: string): void {
    this.deliveries.inc({ state });
  }

  /** The text that Prometheus scrapes, and its media type. */
  async text(): Promise<{ type: string; body: string }> {
    const work = this.figures.work?.();
    if (work) this.workDone(work);
    return { type: this.registry.contentType, body: await this.registry.metrics() };
  }

  private addQueue(figures: Figures['queue']): void {
    if (!figures) return;
    const remembered = remember(figures);
    new Gauge({
      name: 'submissions',
      help: 'Submissions in the store, by state.',
      labelNames: ['state'],
      registers: [this.registry],
      async collect() {
        this.reset();
        const { states } = await remembered().catch(() => ({ states: {} }));
        for (const [state, count] of Object.entries(states)) this.set({ state }, Number(count));
      },
    });
    this.gauge('queue_waiting', 'Submissions that wait for a worker.', async () => (await remembered()).waiting);
    this.gauge('queue_running', 'Submissions that a worker is processing.', async () => (await remembered()).running);
    this.gauge(
      'queue_oldest_waiting_seconds',
      'Age of the oldest waiting submission; 0 when none waits.',
      async () => ((await remembered()).oldestWaiting ?? 0) / 1000,
    );
  }

  private addWebhooks(figures: Figures['webhooks']): void {
    if (!figures) return;
    const remembered = remember(figures);
    this.gauge(
      'webhook_deliveries_waiting',
      'Events that a webhook has not taken yet.',
      async () => (await remembered()).waiting,
    );
    this.gauge('webhook_oldest_waiting_seconds', 'Age of the oldest of them; 0 when there is none.', async () =>
      secondsSince((await remembered()).oldest),
    );
  }

  private addIndex(figures: Figures['index']): void {
    if (!figures) return;
    const remembered = remember(figures);
    this.gauge(
      'search_index_lag_changes',
      'Changes that the search index has not taken in.',
      async () => (await remembered()).lag,
    );
    this.gauge('search_index_lag_seconds', 'Age of the oldest of them; 0 when there is none.', async () =>
      secondsSince((await remembered()).since),
    );
    this.gauge(
      'search_index_standstill_seconds',
      'How long a search index that is behind has taken nothing in; 0 when it is not behind.',
      async () => {
        const { lag, since = 0, moved } = await remembered();
        return lag === 0 ? 0 : secondsSince(Math.max(since, moved) || undefined);
      },
    );
    this.gauge(
      'search_index_name_only_samples',
      'Samples that are found by name and accession alone, because their content could not be indexed.',
      async () => (await remembered()).nameOnly,
    );
  }

  private gauge(name: string, help: string, value: () => Promise<number>): void {
    new Gauge({
      name,
      help,
      registers: [this.registry],
      async collect() {
        // One thing that cannot be asked now must not hide all the others.
        this.set(await value().catch(() => Number.NaN));
      },
    });
  }
}

const REMEMBER_MS = 5_000;

/** One answer serves everybody who asks within some seconds; a failure is not remembered. */
function remember<T>(ask: () => Promise<T>): () => Promise<T> {
  let last: { at: number; answer: Promise<T> } | undefined;
  return () => {
    if (!last || Date.now() - last.at > REMEMBER_MS) {
      const mine = { at: Date.now(), answer: ask() };
      mine.answer.catch(() => {
        if (last === mine) last = undefined;
      });
      last = mine;
    }
    return last.answer;
  };
}

const secondsSince = (at: number | undefined): number => (at === undefined ? 0 : Math.max(0, Date.now() - at) / 1000);
