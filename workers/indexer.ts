/** The indexer process: keeps the search index behind the writes, and out of their way. */
import { constants, setPriority } from 'node:os';
import { composeIndexer } from '../src/compose-worker.js';
import { loadConfig } from '../src/config.js';

// Nobody waits for the index: the processor goes to whoever registers or reads.
setPriority(constants.priority.PRIORITY_LOW);
const parts = await composeIndexer(loadConfig(process.env), process);

let stopping = false;
function stop(): void {
  if (stopping) return;
  stopping = true;
  void parts.close().then(() => process.exit(0));
}

process.on('SIGTERM', stop);
process.on('SIGINT', stop);
process.on('disconnect', stop);
