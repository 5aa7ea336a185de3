/** The ingest worker process: takes its settings from the environment and works until it is asked to stop. */
import { composeWorker } from '../src/wiring/compose-worker.js';
import { run } from './run.js';

await run('worker', (config) => composeWorker(config, process, process.env.WORKER_NAME));
