/** `npm start`: sets up when needed, then is `sample-registry serve` in this same process, so that signals reach it. */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { endWithNpm } from './end-with-npm.mjs';
import { ROOT, setUpOrExit } from './setup.mjs';

endWithNpm();
setUpOrExit();
const command = join(ROOT, 'dist', 'src', 'cli', 'main.js');
process.argv.splice(1, process.argv.length - 1, command, 'serve');
await import(pathToFileURL(command).href);
