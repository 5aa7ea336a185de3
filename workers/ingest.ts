/** The ingest worker process: takes its settings from the environment and works until it is asked to stop. */

import { loadConfig } from '../src/config.js';
import { composeWorker } from '../src/wiring/compose-worker.js';
import { stopSignals } from './stop-signals.js';

const signals = stopSignals(process);
const parts = await composeWorker(loadConfig(process.env), process, process.env.WORKER_NAME);
signals.closing(() => parts.close());
