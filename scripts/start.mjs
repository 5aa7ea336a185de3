/** `npm start`: sets up when needed, then serves in this same process, so that signals reach the server itself. */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ROOT, setUpOrExit } from './setup.mjs';

setUpOrExit();
const server = join(ROOT, 'dist', 'src', 'server.js');
process.argv[1] = server;
await import(pathToFileURL(server).href);
