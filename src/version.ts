/** The version of this program, as package.json says it. */
import { existsSync, readFileSync } from 'node:fs';

/** Beside src/ in a clone; above dist/ once built. */
const [file] = ['../package.json', '../../package.json']
  .map((path) => new URL(path, import.meta.url))
  .filter((url) => existsSync(url));
if (!file) throw new Error('package.json of the program is missing.');

export const VERSION: string = (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;
