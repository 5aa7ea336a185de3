/** The thread that makes the file of a whole result (src/wiring/compose-exports.ts). */
import { parentPort, workerData } from 'node:worker_threads';
import type { ExportingData } from '../src/wiring/export-messages.js';
import { runExporting } from '../src/wiring/export-thread.js';

if (!parentPort) throw new Error('This file runs as a worker thread.');
await runExporting(parentPort, workerData as ExportingData);
