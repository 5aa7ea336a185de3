/**
 * Compiles every module of src and workers by itself, for tests: whichever process of vitest loads one has it from a file, and not from
 * vitest's own server, which sends each module to each process (docs/decisions/0179). `npm run build` deletes them with dist/.
 */
import { existsSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ROOT } from './setup.mjs';

const FOLDERS = ['src', 'workers'];
const MODULES = join(ROOT, 'dist', 'modules');

/** Once for each build. Resolves to their folder: `FOLDER/src/config.js` is `src/config.ts`. */
export async function compileModules() {
  if (existsSync(MODULES)) return MODULES;
  // Another run of the tests may do the same.
  const made = mkdtempSync(`${MODULES}-`);
  await writeModules(made);
  try {
    renameSync(made, MODULES);
  } catch (error) {
    rmSync(made, { recursive: true, force: true });
    if (!existsSync(MODULES)) throw error;
  }
  return MODULES;
}

async function writeModules(folder) {
  const { rolldown } = await import('rolldown');
  const names = FOLDERS.flatMap((source) =>
    readdirSync(join(ROOT, source), { recursive: true })
      .filter((path) => path.endsWith('.ts'))
      .map((path) => join(source, path.slice(0, -'.ts'.length))),
  );
  const bundle = await rolldown({
    input: Object.fromEntries(names.map((name) => [name, join(ROOT, `${name}.ts`)])),
    cwd: ROOT,
    platform: 'node',
    external: (id) => !id.startsWith('.') && !id.startsWith('/'),
    treeshake: false,
    plugins: [ownAddresses],
    transform: { target: 'node20' },
  });
  await bundle.write({
    dir: folder,
    format: 'esm',
    preserveModules: true,
    preserveModulesRoot: ROOT,
    entryFileNames: '[name].js',
    sourcemap: 'inline',
  });
  await bundle.close();
}

/** Modules name files beside them by `import.meta.url`, which stays that of the source. */
const ownAddresses = {
  name: 'own-addresses',
  transform: {
    filter: { code: 'import.meta.url' },
    handler: (code, id) => ({
      code: code.replaceAll('import.meta.url', JSON.stringify(pathToFileURL(id).href)),
      map: null,
    }),
  },
};
