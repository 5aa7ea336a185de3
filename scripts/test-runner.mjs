/** For vitest, in `npm test`: files of tests, and what is set up before them, are loaded as modules.mjs has compiled them, by Node itself. */
import { join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { TestRunner } from 'vitest';
import { ROOT } from './setup.mjs';

const { COMPILED_TESTS } = process.env;
/** Path → how often this process has loaded it. */
const loaded = new Map();

export default class CompiledTests extends TestRunner {
  /** Anew each time: such a file says to vitest what it holds while it loads. Under a second address, Node no longer knows its lines in the source. */
  importFile(path) {
    const compiled = join(COMPILED_TESTS, relative(ROOT, path).replace(/\.ts$/, '.js'));
    const times = loaded.get(path) ?? 0;
    loaded.set(path, times + 1);
    return import(`${pathToFileURL(compiled)}${times > 0 ? `?${times}` : ''}`);
  }
}
