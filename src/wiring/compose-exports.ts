/**
 * WIRING of whole results: each is made in a thread of its own with connections of its own, so that reading a million
 * samples holds up nobody, and its memory is gone with it.
 */
import type { Worker as Thread } from 'node:worker_threads';
import type { Config } from '../config.js';
import { KeptExports } from '../exports/kept-exports.js';
import { startMaking } from '../exports/make-kept.js';
import type { SampleExports, StartProduction } from '../exports/sample-exports.js';
import type { Logger } from '../observability/log.js';
import type { RegistryOptions } from '../registry/registry-options.js';
import { receivedError } from '../registry/sent-error.js';
import type { Store } from '../store/store.js';
import type { Blobs } from '../submissions/blobs.js';
import { EXPORT_MEMORY, type ExportingData, interrupted, type ProductionMessage } from './export-messages.js';
import { dependenciesOf, produceFile } from './export-thread.js';
import { startThread } from './start-thread.js';

export interface Exporting {
  start: StartProduction;
  close(): Promise<void>;
}

export function exportApart(config: Config, log: Logger): Exporting {
  const running = new Set<Thread>();
  const start: StartProduction = (order, { path, memory }, events) => {
    const workerData: ExportingData = { config, order, path, memory: memory.shared };
    const entry = new URL('../../workers/export-thread.js', import.meta.url);
    const thread = startThread(entry, { workerData, resourceLimits: EXPORT_MEMORY });
    running.add(thread);
    const done = new Promise<void>((resolve, reject) => {
      thread.on('message', (message: ProductionMessage) => {
        if ('counted' in message) events.counted(message.counted);
        else if ('handed' in message) events.handed(message.part, message.handed);
        else if ('written' in message) events.written(message.part, message.written);
        else if ('partEnded' in message) events.partEnded(message.partEnded);
        else reject(receivedError(message.failed));
      });
      thread.on('error', (error) => {
        log.error({ err: error }, 'a thread that makes a whole result failed');
        reject(interrupted());
      });
      thread.once('exit', (code) => {
        running.delete(thread);
        if (code === 0) resolve();
        else reject(interrupted());
      });
    });
    return { done, stop: async () => void (await thread.terminate()) };
  };
  return {
    start,
    close: async () => {
      await Promise.all([...running].map((thread) => thread.terminate()));
    },
  };
}

/** Those that are made while nobody waits, beside the service that sends them. */
export function keepExports(
  config: Config,
  log: Logger,
  parts: { store: Store; blobs: Blobs; exports: SampleExports; now: () => number },
): { kept: KeptExports; close(): Promise<void> } {
  const settings = {
    keepMs: config.KEPT_EXPORTS_HOURS * 3600_000,
    ofOne: config.KEPT_EXPORTS_OF_ONE,
    bytes: { ofOne: config.KEPT_EXPORTS_BYTES_OF_ONE, inAll: config.KEPT_EXPORTS_BYTES_IN_ALL },
  };
  const making = startMaking({
    ...parts,
    settings,
    leaseMs: config.LEASE_SECONDS * 1000,
    onError: (err, exportId) => log.error({ err, exportId }, 'a whole result could not be made to be kept'),
  });
  const kept = new KeptExports({ ...parts, settings, prefix: config.ACCESSION_PREFIX, ordered: () => making.nudge() });
  return { kept, close: () => making.stop() };
}

/** The making on the thread that asks, on a store that is open: for whoever runs the service inside a process of theirs. */
export function exportHere(store: Store, options: RegistryOptions): Exporting {
  return {
    start: (order, target, events) => ({
      done: produceFile(dependenciesOf(store, options), order, target, events),
      stop: async () => undefined,
    }),
    close: async () => undefined,
  };
}
