/** The ingest worker process: takes its settings from the environment and works until it is told to stop. */
import { composeWorker } from '../src/compose-worker.js';
import { loadConfig } from '../src/config.js';

const parts = await composeWorker(loadConfig(process.env), process, process.env.WORKER_NAME);

let stopping = false;
function stop(): void {
  if (stopping) return;
  stopping = true;
  void parts.close().then(() => process.exit(0));
}

process.on('SIGTERM', stop);
process.on('SIGINT', stop);
// The process that forked this one is gone: nobody would restart it, so it hands its work back.
process.on('disconnect', stop);
