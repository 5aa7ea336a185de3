/** The process that a worker starts for one submission over which others have ended; it ends when that is done with. */

import { loadConfig } from '../src/config.js';
import { composeAlone } from '../src/wiring/compose-worker.js';
import { stopSignals } from './stop-signals.js';

const signals = stopSignals(process);
const parts = await composeAlone(loadConfig(process.env), process);
signals.closing(() => parts.close());
await parts.done;
await parts.close();
process.exit(0);
