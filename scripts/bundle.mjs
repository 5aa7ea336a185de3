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

/** The table of media types, which two packages bring: one of them, as JSON, which is read in half of the time of a program that says it. */
const MEDIA_TYPES = join(ROOT, 'node_modules', 'mime-db', 'db.json');
const oneTable = {
  name: 'one-table',
  load: {
    filter: { id: /mime-db[\\/]db\.json$/ },
    handler(id) {
      if (id !== MEDIA_TYPES)
        return { code: `module.exports = require(${JSON.stringify(MEDIA_TYPES)})`, moduleType: 'js' };
      const text = JSON.stringify(JSON.parse(readFileSync(id, 'utf8')));
      return { code: `module.exports = JSON.parse(${JSON.stringify(text)})`, moduleType: 'js' };
    },
  },
};

/**
 * Of a file that is ASCII alone the engine reads bytes as they are; one character beyond doubles its text in memory, and takes a fifth
 * longer to compile. Escapes mean the same in strings, templates and regular expressions; what asks for the text as written is none of ours.
 */
const asciiAlone = {
  name: 'ascii-alone',
  generateBundle(_, bundle) {
    for (const chunk of Object.values(bundle)) if (chunk.type === 'chunk') chunk.code = inAscii(chunk.code);
  },
};

/** A backslash before such a character says nothing of its own. */
function inAscii(code) {
  return code.replaceAll(/(\\*)([^\0-\x7f])/g, (_, slashes, unit) => {
    const number = unit.charCodeAt(0).toString(16).padStart(4, '0');
    return `${slashes.slice(slashes.length % 2)}\\u${number}`;
  });
}

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
    plugins: [keepPlaces, oneTable, asciiAlone],
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
