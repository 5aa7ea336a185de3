import { Metrics } from '../../src/observability/metrics.js';

const ready = async (): Promise<void> => {};

/** Every metric that some process shows, with the values that it begins with. */
export function everyMetric() {
  const metrics = new Metrics({
    queue: async () => ({ states: {}, waiting: 0, running: 0 }),
    webhooks: async () => ({ waiting: 0 }),
    index: async () => ({ lag: 0, moved: 0, nameOnly: 0 }),
    lastBackup: async () => undefined,
    disks: async () => [],
    workers: () => [],
    parts: { store: ready, queue: ready, blobs: ready },
  });
  return metrics.registry.getMetricsAsJSON();
}
