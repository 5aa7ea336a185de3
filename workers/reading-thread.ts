/** The thread that reads and maps a large file while the worker's main thread writes; the talk is in src/submissions/reading/reading-thread.ts. */
import { parentPort, workerData } from 'node:worker_threads';
import { openBlobs } from '../src/blobs/open.js';
import { lazyChecklists } from '../src/checklists/open.js';
import { type ReadingThreadData, serveReading } from '../src/submissions/reading/reading-thread.js';

if (!parentPort) throw new Error('This file runs as a worker thread.');
const { blobUrl, checklistsDir, defaultChecklist } = workerData as ReadingThreadData;
const blobs = await openBlobs(blobUrl);
serveReading(parentPort, blobs, { checklists: lazyChecklists(checklistsDir), defaultChecklist });
