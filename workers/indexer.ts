/** The indexer process: keeps the search index behind the writes, and out of their way. */
import { constants, setPriority } from 'node:os';
import { composeIndexer } from '../src/wiring/compose-indexer.js';
import { run } from './run.js';

// The processor goes to whoever registers or reads; at the lowest priority a busy machine let the index fall behind.
setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
await run('indexer', (config) => composeIndexer(config, process));
