/** The indexer process: keeps the search index behind the writes, and out of their way. */
import { constants, setPriority } from 'node:os';
import { composeIndexer } from '../src/wiring/compose-indexer.js';
import { run } from './run.js';

// The processor goes to whoever registers or reads; turns of accounts (decision 107) see to it that nobody waits for long.
setPriority(constants.priority.PRIORITY_LOW);
await run('indexer', (config) => composeIndexer(config, process));
