/** The process that a worker starts for one submission over which others have ended; it ends when that is done with. */
import { composeAlone } from '../src/wiring/compose-worker.js';
import { run } from './run.js';

const parts = await run('worker', (config) => composeAlone(config, process));
await parts.done;
await parts.close();
process.exit(0);
