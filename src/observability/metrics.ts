/**
 * What Prometheus reads. Counting costs well under a microsecond. Every series of a counter is there from the start,
 * at 0: `increase()` cannot see an event whose series begins with it.
 */
import { Counter, collectDefaultMetrics, Histogram, Registry } from 'prom-client';
import { SUBMISSION_STATES } from '../submissions/submission.js';
import { addGauges, type Figures } from './gauges.js';

/** What a worker process did in some time; travels between processes. */
export interface WorkReport {
  chunks: number;
  /** Rows by outcome. */
  rows: { created: number; updated: number; unchanged: number; rejected: number };
  /** Submissions by the state they ended in. */
  ended: Record<string, number>;
  /** Submissions taken over from workers that were lost. */
  takeovers: number;
}

export interface MetricsOptions extends Figures {
  /** Of a worker process: what it did since it was last asked. */
  work?: () => WorkReport | undefined;
}

const STATUS_CLASSES = ['2xx', '3xx', '4xx', '5xx'];
const LIMITED = ['read', 'write', 'upload', 'sign-in'] as const;
const OUTCOMES = ['created', 'updated', 'unchanged', 'rejected'];
const ENDS = SUBMISSION_STATES.filter((state) => state !== 'ACTIVE');
const DELIVERIES = ['waiting', 'delivered', 'failed'] as const;
const PROGRAMS = ['ingest', 'indexer'] as const;

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
  private readonly answered = this.counter(
    'http_requests_total',
    'Requests answered, by class of status: 2xx, 4xx and so on.',
    'status',
    STATUS_CLASSES,
  );
  private readonly limited = this.counter(
    'http_requests_limited_total',
    'Requests refused because of a rate limit or a quota.',
    'kind',
    LIMITED,
  );
  private readonly rows = this.counter(
    'ingest_rows_total',
    'Rows of tables processed, by outcome.',
    'outcome',
    OUTCOMES,
  );
  private readonly chunks = this.counter('ingest_chunks_total', 'Chunks of rows committed.');
  private readonly ended = this.counter(
    'submissions_ended_total',
    'Submissions that have ended, by state.',
    'state',
    ENDS,
  );
  private readonly takeovers = this.counter(
    'lease_takeovers_total',
    'Submissions taken from a worker that was lost: killed, frozen, or cut off for longer than its lease.',
  );
  private readonly deliveries = this.counter(
    'webhook_attempts_total',
    'Attempts to deliver an event to a webhook, by what became of the delivery.',
    'state',
    DELIVERIES,
  );
  private readonly deaths = this.counter(
    'worker_deaths_total',
    'Processes started by this service that ended without being asked to, by program.',
    'program',
    PROGRAMS,
  );

  constructor(private readonly options: MetricsOptions = {}) {
    collectDefaultMetrics({ register: this.registry });
    addGauges(this.registry, options);
  }

  requestEnded(method: string, route: string, status: number, seconds: number): void {
    this.requests.observe({ method, route, status }, seconds);
    this.answered.inc({ status: `${Math.floor(status / 100)}xx` });
  }

  requestLimited(kind: (typeof LIMITED)[number]): void {
    this.limited.inc({ kind });
  }

  workDone({ chunks, rows, ended, takeovers }: WorkReport): void {
    this.chunks.inc(chunks);
    this.takeovers.inc(takeovers);
    for (const [outcome, count] of Object.entries(rows)) if (count > 0) this.rows.inc({ outcome }, count);
    for (const [state, count] of Object.entries(ended)) this.ended.inc({ state }, count);
  }

  /** Submissions were given back for a worker that had died. */
  takenOver(submissions: number): void {
    this.takeovers.inc(submissions);
  }

  workerDied(program: (typeof PROGRAMS)[number]): void {
    this.deaths.inc({ program });
  }

  webhookAttempted(state: (typeof DELIVERIES)[number]): void {
    this.deliveries.inc({ state });
  }

  /** The text that Prometheus scrapes, and its media type. */
  async text(): Promise<{ type: string; body: string }> {
    const work = this.options.work?.();
    if (work) this.workDone(work);
    return { type: this.registry.contentType, body: await this.registry.metrics() };
  }

  private counter(name: string, help: string, label?: string, values: readonly string[] = []): Counter {
    const labelNames = label === undefined ? [] : [label];
    const made = new Counter({ name, help, labelNames, registers: [this.registry] });
    for (const value of values) made.inc({ [label as string]: value }, 0);
    return made;
  }
}
