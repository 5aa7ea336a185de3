/**
 * Builds dist/: every program with the packages that it uses in a few files, since loading a thousand took most of the
 * time in which a process starts (docs/decisions/0088), and beside them the files of the source folders that are no
 * TypeScript. Types are checked by `npm run types`.
 */
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const DIST = join(ROOT, 'dist');
const FOLDERS = ['src', 'workers', 'bench'];

const PROGRAMS = ['src/server', 'src/cli/main', 'src/workbooks/convert-process'];
/** What programs of the tests load by itself. */
const PARTS = [
  'src/cli/command-line',
  'src/store/open',
  'src/store/sqlite/driver',
  'src/blobs/open',
  'src/workbooks/open',
];
/** Have a binary for the running Node (src/store/sqlite/driver.ts), or a file of their own. */
const APART = [/^better-sqlite3/, 'lz4-wasm-nodejs'];

const workers = readdirSync(join(ROOT, 'workers')).map((file) => `workers/${file.replace(/\.ts$/, '')}`);

/** Modules name files beside them by `import.meta.url`; this keeps it the address at which the module would stand alone. */
const PLACE = '__PLACE_OF_MODULE__';
const keepPlaces = {
  name: 'keep-places',
  transform: {
    filter: { code: 'import.meta.url' },
    handler(code, id) {
      const place = relative(ROOT, id).replaceAll(sep, '/').replace(/\.ts$/, '.js');
      if (!FOLDERS.includes(place.split('/')[0])) return undefined;
      return { code: code.replaceAll('import.meta.url', `${PLACE}(${JSON.stringify(place)})`), map: null };
    },
  },
  renderChunk(code, { fileName }) {
    if (!code.includes(PLACE)) return undefined;
    const url = (place) =>
      `new URL(${JSON.stringify(`./${relative(dirname(fileName), place)}`)}, import.meta.url).href`;
    return { code: code.replaceAll(new RegExp(`${PLACE}\\("([^"]+)"\\)`, 'g'), (_, place) => url(place)), map: null };
  },
};

rmSync(DIST, { recursive: true, force: true });
const shipped = await build([...PROGRAMS, ...PARTS, ...workers], 'chunks');
writeFileSync(join(DIST, 'THIRD-PARTY-LICENSES.txt'), licences(shipped));
await build(['bench/main'], 'bench/chunks');
for (const folder of FOLDERS) copyAssets(folder);

/** Writes the named modules and, into `shared`, what several of them use; returns the chunks that were written. */
async function build(names, shared) {
  const bundle = await rolldown({
    input: Object.fromEntries(names.map((name) => [name, join(ROOT, `${name}.ts`)])),
    cwd: ROOT,
    platform: 'node',
    external: APART,
    plugins: [keepPlaces],
    transform: { target: 'node20' },
    onLog(level, log, print) {
      // Packages of others warn about themselves.
      if (level !== 'warn' || !/node_modules/.test(`${log.id ?? ''}${log.message}`)) print(level, log);
    },
  });
  const { output } = await bundle.write({
    dir: DIST,
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: `${shared}/[name]-[hash].js`,
  });
  await bundle.close();
  return output;
}

function copyAssets(folder) {
  cpSync(join(ROOT, folder), join(DIST, folder), {
    recursive: true,
    filter: (path) => !/\.(ts|tsx|md)$/.test(path),
  });
}

/** The texts that the packages inside ask to be passed on with them. */
function licences(chunks) {
  const folders = new Set(
    chunks.flatMap(({ moduleIds = [] }) => moduleIds.map((id) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(id)?.[0])),
  );
  const entries = [...folders].filter(Boolean).map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    const files = readdirSync(folder).filter((file) => /^(licen[cs]e|notice|copying)/i.test(file));
    return [`${name} ${version} (${license})`, ...files.map((file) => readFileSync(join(folder, file), 'utf8').trim())];
  });
  return `${entries
    .map((lines) => lines.join('\n\n'))
    .sort()
    .join(`\n\n${'-'.repeat(80)}\n\n`)}\n`;
}
