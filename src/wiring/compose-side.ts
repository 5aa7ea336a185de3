/** WIRING of what stands beside the registry: limits, audit log, metrics, webhooks, resumable uploads, upkeep. */

import type { RequestListener } from 'node:http';
import { join } from 'node:path';
import { expireAuditFiles } from '../audit/files.js';
import type { Config } from '../config.js';
import type { AppParts } from '../http/app.js';
import { browserHeaders } from '../http/browser-headers.js';
import { createGuard } from '../http/guard.js';
import { measured } from '../http/measure.js';
import { createMirrorGuard } from '../http/mirror-guard.js';
import { metricsRoutes } from '../http/routes/metrics.js';
import { operationsRoutes } from '../http/routes/operations.js';
import { tusRoutes } from '../http/routes/tus.js';
import { webhookRoutes } from '../http/routes/webhooks.js';
import type { UploadQuotas } from '../limits/quotas.js';
import { RateLimits } from '../limits/rate-limits.js';
import type { WorkerFigures } from '../observability/gauges.js';
import type { Logger } from '../observability/log.js';
import type { Metrics } from '../observability/metrics.js';
import { openTraces } from '../observability/tracing.js';
import { openSharedCounters } from '../queue/shared-counters.js';
import type { SampleFeed } from '../registry/changes/sample-feed.js';
import { DAY_MS } from '../registry/date-time.js';
import { describeIndex } from '../registry/search/index-progress.js';
import type { SampleSearch } from '../registry/search/sample-search.js';
import type { Store } from '../store/store.js';
import type { Blobs } from '../submissions/blobs.js';
import type { Queue } from '../submissions/queue.js';
import type { Uploads } from '../submissions/uploads/uploads.js';
import { purge, retentionOf } from '../upkeep/purge.js';
import { startDelivering } from '../webhooks/deliver.js';
import { startFollowing } from '../webhooks/follow.js';
import { Webhooks } from '../webhooks/webhooks.js';
import { serviceMetrics } from './compose-metrics.js';
import { openAudit } from './open-audit.js';

export interface SideParts {
  store: Store;
  blobs: Blobs;
  queue: Queue;
  uploads: Uploads;
  quotas: UploadQuotas;
  feed: SampleFeed;
  search: SampleSearch;
  stopping: AbortSignal;
}

export interface Side extends Pick<AppParts, 'guards' | 'extensions'> {
  metrics: Metrics;
  /** Whom the metrics ask about the processes that this one keeps running. */
  watchWorkers(ask: () => WorkerFigures[]): void;
  measure(app: RequestListener): RequestListener;
  /** Rejects while changes cannot be recorded. */
  checkAudit(): Promise<void>;
  close(): Promise<void>;
}

const PURGE_EVERY_MS = DAY_MS;
/** Not at once: a start is busy, and several processes start together. */
const FIRST_PURGE_MS = 10 * 60_000;

export async function composeSide(config: Config, log: Logger, parts: SideParts): Promise<Side> {
  const { store, blobs, uploads, quotas, feed, search, stopping } = parts;
  const audit = openAudit(config);
  const shared = await openSharedCounters(config.QUEUE_URL);
  const traces = await openTraces(config.OTEL_EXPORTER_OTLP_ENDPOINT, 'sample-registry');
  let workers = (): WorkerFigures[] => [];
  const metrics = serviceMetrics(config, parts, () => workers());
  quotas.onRefused = () => metrics.requestLimited('upload');
  const allowPrivate = config.WEBHOOKS_ALLOW_PRIVATE === 'true';
  const webhooks = new Webhooks({ store, feed, prefix: config.ACCESSION_PREFIX, allowPrivate, now: store.now });
  const following = startFollowing({ store, feed, search, now: store.now }, (error) =>
    log.error({ err: error }, 'changes could not be read for a webhook'),
  );
  const delivering = startDelivering(
    {
      store,
      submissions: store,
      changes: { feed, search },
      allowPrivate,
      baseUrl: `${config.PUBLIC_URL ?? ''}${config.BASE_PATH}`,
      now: store.now,
      onFailure: ({ id, webhookId }, err) => log.debug({ deliveryId: id, webhookId, err }, 'webhook failed'),
      onAttempt: ({ id, submissionId, changes, event }, { status, error, state }) => {
        // What comes next has waited for this one.
        if (changes && state === 'delivered') following.nudge();
        metrics.webhookAttempted(state);
        const level = state === 'delivered' ? 'info' : 'warn';
        log[level](
          { deliveryId: id, submissionId, changes: changes?.count, event, status, error, state },
          'webhook attempted',
        );
      },
    },
    (error) => log.error({ err: error }, 'webhooks could not be delivered'),
  );
  const expireAudit = (before: number) =>
    expireAuditFiles(config.AUDIT_DIR, before, (files) => audit.recordExpired(files));
  const purging = startPurging(async () => {
    const done = await purge({ store, blobs, expireAudit, now: store.now() }, retentionOf(config));
    log.info({ done }, 'purged what is no longer kept');
  }, log);

  return {
    metrics,
    watchWorkers: (ask) => {
      workers = ask;
    },
    measure: (app) => measured(app, metrics, traces, config.BASE_PATH),
    checkAudit: async () => {
      const fault = audit.fault();
      if (fault) throw new Error(`the audit log cannot be written to ${config.AUDIT_DIR}: ${fault.message}`);
    },
    guards: [
      browserHeaders,
      createGuard({
        rates: new RateLimits(
          {
            read: config.RATE_READS_PER_MINUTE,
            write: config.RATE_WRITES_PER_MINUTE,
            upload: config.RATE_UPLOADS_PER_MINUTE,
            'sign-in': config.RATE_SIGN_INS_PER_MINUTE,
          },
          shared,
        ),
        audit,
        onLimited: (kind) => metrics.requestLimited(kind),
      }),
      createMirrorGuard(store),
    ],
    extensions: [
      { path: '/metrics', router: (context) => metricsRoutes(context, metrics) },
      {
        path: '/operations',
        router: (context) =>
          operationsRoutes(context, { searchIndex: () => describeIndex(store, config.ACCESSION_PREFIX, store.now) }),
      },
      { path: '/webhooks', router: (context) => webhookRoutes(context, webhooks) },
      {
        path: '/files',
        router: (context) =>
          tusRoutes(context, { uploads, quotas, folder: join(config.DATA_DIR, 'resumable'), stopping }),
      },
    ],
    close: async () => {
      purging.stop();
      await following.stop();
      await delivering.stop();
      await shared?.close();
      await traces?.close();
      audit.close();
    },
  };
}

/** Once a day. Several processes may do it at the same time: what is gone is gone. */
function startPurging(work: () => Promise<void>, log: Logger): { stop(): void } {
  const run = () => work().catch((error: unknown) => log.error({ err: error }, 'purge failed'));
  const first = setTimeout(run, FIRST_PURGE_MS).unref();
  const daily = setInterval(run, PURGE_EVERY_MS).unref();
  return {
    stop: () => {
      clearTimeout(first);
      clearInterval(daily);
    },
  };
}
