import { fileURLToPath } from 'node:url';

/** The project's root folder. */
export const ROOT = fileURLToPath(new URL('../../', import.meta.url)).replace(/\/$/, '');

/** Where evidence is kept (servers' logs, screenshots, reports); emptied when a run starts, ignored by git. */
export const OUTPUT_DIR = `${ROOT}/test-output`;
