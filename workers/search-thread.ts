/** The thread that searches, so that the service's own answers whoever reads or writes (src/wiring/compose-search.ts). */
import { parentPort, workerData } from 'node:worker_threads';
import { runSearching, type SearchingData } from '../src/wiring/compose-search.js';

if (!parentPort) throw new Error('This file runs as a worker thread.');
await runSearching(parentPort, workerData as SearchingData);
