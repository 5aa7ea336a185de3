/**
 * Compiles modules one by one for tests: each process of vitest loads them from files, as Node does, and not from vitest's own server, which
 * sends each module to each process (docs/decisions/0196).
 */
import { existsSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ROOT } from './setup.mjs';

const MODULES = join(ROOT, 'dist', 'modules');

/** Those of src and workers, once for each build, which deletes them with dist/. Resolves to their folder: `src/config.ts` is `FOLDER/src/config.js`. */
export async function compileModules() {
  if (existsSync(MODULES)) return MODULES;
  // Another run of the tests may do the same.
  const made = mkdtempSync(`${MODULES}-`);
  await compile(['src', 'workers'].flatMap(modulesOf), made);
  try {
    renameSync(made, MODULES);
  } catch (error) {
    rmSync(made, { recursive: true, force: true });
    if (!existsSync(MODULES)) throw error;
  }
  return MODULES;
}

/**
 * Those of test, for one run, into a folder that is there: `test/tsv/values.test.ts` is `FOLDER/test/tsv/values.test.js`. With paths, files of tests that none
 * of them begins are left out. Resolves to what tells of a word, the name of a setting, whether anything that is run has it.
 */
export async function compileTests(folder, paths) {
  const modules = await compileModules();
  const isRun = (name) => !paths || paths.some((path) => `${name}.ts`.startsWith(path));
  const names = modulesOf('test').filter((name) => !name.endsWith('.test') || isRun(name));
  const { output } = await compile(names, folder, [compiledIn(modules)]);
  const chunks = new Map(output.map((chunk) => [chunk.fileName, chunk]));
  const run = new Set(names.filter((name) => name.endsWith('.test')).map((name) => `${name}.js`));
  // What is added meanwhile is gone through, too.
  for (const file of run) {
    const { imports = [], dynamicImports = [] } = chunks.get(file) ?? {};
    for (const imported of [...imports, ...dynamicImports]) run.add(imported);
  }
  return (word) => [...run].some((file) => chunks.get(file)?.code.includes(word));
}

/** The arguments of vitest from the project's folder on, where each is a path; undefined otherwise: what they choose is vitest's own matter. */
export function pathsIn(args) {
  const paths = args.map((argument) => relative(ROOT, resolve(ROOT, argument)));
  return paths.length > 0 && paths.every((path) => existsSync(join(ROOT, path))) ? paths : undefined;
}

/** A module that is compiled already is its file; what is JavaScript stays where it is. */
const compiledIn = (modules) => ({
  name: 'compiled-modules',
  resolveId: {
    filter: { id: /^\.\.?\// },
    handler: (source, importer) => {
      const path = relative(ROOT, join(dirname(importer), source));
      const file = path.endsWith('.mjs') ? join(ROOT, path) : join(modules, path.replace(/\.ts$/, '.js'));
      return /\.mjs$|^(src|workers)\//.test(path) ? { id: file, external: 'absolute' } : null;
    },
  },
});

/** Without the ending. */
const modulesOf = (folder) =>
  readdirSync(join(ROOT, folder), { recursive: true })
    .filter((path) => path.endsWith('.ts'))
    .map((path) => join(folder, path.slice(0, -'.ts'.length)));

async function compile(names, into, plugins = []) {
  const { rolldown } = await import('rolldown');
  const bundle = await rolldown({
    input: Object.fromEntries(names.map((name) => [name, join(ROOT, `${name}.ts`)])),
    cwd: ROOT,
    platform: 'node',
    external: (id) => !id.startsWith('.') && !id.startsWith('/'),
    treeshake: false,
    plugins: [...plugins, ownAddresses],
    transform: { target: 'node20' },
  });
  const written = await bundle.write({
    dir: into,
    format: 'esm',
    preserveModules: true,
    preserveModulesRoot: ROOT,
    entryFileNames: '[name].js',
    sourcemap: 'inline',
    // Each process reads the map of each module; the sources are where it says.
    sourcemapExcludeSources: true,
  });
  await bundle.close();
  return written;
}

/** Modules name files beside them by where they lie, which stays that of the source. */
const ownAddresses = {
  name: 'own-addresses',
  transform: {
    filter: { code: 'import.meta.' },
    handler: (code, id) => ({
      code: code
        .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(id).href))
        .replaceAll('import.meta.dirname', JSON.stringify(dirname(id)))
        .replaceAll('import.meta.filename', JSON.stringify(id)),
      map: null,
    }),
  },
};
