/** The thread that reads and maps a large file while the worker's main thread writes; the talk is in src/submissions/reading-thread.ts. */
import { parentPort, workerData } from 'node:worker_threads';
import { openBlobs } from '../src/blobs/open.js';
import { serveReading } from '../src/submissions/reading-thread.js';

if (!parentPort) throw new Error('This file runs as a worker thread.');
const blobs = await openBlobs((workerData as { blobUrl: string }).blobUrl);
serveReading(parentPort, blobs);
