/** The indexer process: keeps the search index behind the writes, and out of their way. */
import { constants, setPriority } from 'node:os';
import { loadConfig } from '../src/config.js';
import { composeIndexer } from '../src/wiring/compose-indexer.js';
import { stopSignals } from './stop-signals.js';

const signals = stopSignals(process);
// Nobody waits for the index: the processor goes to whoever registers or reads.
setPriority(constants.priority.PRIORITY_LOW);
const parts = await composeIndexer(loadConfig(process.env), process);
signals.closing(() => parts.close());
