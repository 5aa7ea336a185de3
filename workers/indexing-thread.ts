/** The thread in which the indexer process indexes; its main thread tells that the process lives (src/wiring/compose-indexer.ts). */
import { parentPort, workerData } from 'node:worker_threads';
import { type IndexingData, runIndexing } from '../src/wiring/compose-indexer.js';

if (!parentPort) throw new Error('This file runs as a worker thread.');
await runIndexing(parentPort, workerData as IndexingData);
