/**
 * Which licences the packages in package-lock.json have, and whether advisories are known for those that are shipped.
 * Ends with 1 for a licence that is not on the list, or an advisory of level high or above. A registry that cannot be
 * asked for advisories is said so and is no failure: the check then says nothing.
 * Shipped is what production installs and what the build has put into the programs: it runs after the build.
 * `node scripts/check-packages.mjs [FOLDER]` looks at another project (its own test does).
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { ROOT } from './setup.mjs';

/** Licences that let us ship and change without opening what stands beside them. */
const ALLOWED = new Set(
  `MIT ISC Apache-2.0 BSD-2-Clause BSD-3-Clause 0BSD BlueOak-1.0.0 CC0-1.0 Unlicense Zlib Python-2.0 WTFPL`.split(
    /\s+/,
  ),
);
/** Also for tools that only build and test and of which nothing is shipped. */
const ALLOWED_FOR_TOOLS = new Set(['MPL-2.0', 'CC-BY-4.0']);

/** Say so in their Readme alone; all three come with tools of the tests. */
const IN_THE_README = { 'combine-errors': 'MIT', 'humanize-number': 'MIT', only: 'MIT' };

const folder = resolve(process.argv[2] ?? ROOT);
const { packages } = JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8'));

/** Where the build writes the licences of the packages inside the programs (scripts/bundle.mjs) and inside the page. */
const LISTS = [
  [join('dist', 'THIRD-PARTY-LICENSES.txt'), /(?:^|-{80}\n\n)(\S+) \S+ \([^)\n]*\)/g],
  [join('web', 'dist', 'licences.md'), /^## (\S+) - \S+ \([^)\n]*\)$/gm],
];
const bundled = new Set();
for (const [list, entries] of LISTS) {
  if (existsSync(join(folder, list))) {
    for (const [, name] of readFileSync(join(folder, list), 'utf8').matchAll(entries)) bundled.add(name);
  } else if (folder === ROOT) {
    console.error(`Build first (npm run build): without ${list} it is not known which packages are inside.`);
    process.exit(1);
  }
}
const isTool = (name, entry) => entry.dev === true && !bundled.has(name);

const refused = [];
let checked = 0;
for (const [path, entry] of Object.entries(packages)) {
  if (path === '' || entry.link) continue;
  const name = path.replace(/^.*node_modules\//, '');
  const licence = entry.license ?? installedLicence(join(folder, path)) ?? IN_THE_README[name];
  // A binary of another platform is not here and its entry says nothing; the one of this platform is looked at.
  if (licence === undefined && entry.optional && !existsSync(join(folder, path))) continue;
  checked++;
  if (!isAllowed(licence ?? '', isTool(name, entry))) refused.push(`${path}: ${licence ?? 'no licence is named'}`);
}
for (const line of refused) console.error(line);
console.log(`Licences: ${checked} packages, ${refused.length} refused.`);

const worst = folder === ROOT ? advisories() : 0;
process.exit(refused.length > 0 || worst > 0 ? 1 : 0);

/** `A AND B` needs both, `A OR B` one of them. */
function isAllowed(expression, tool) {
  const text = expression.replace(/^\((.*)\)$/, '$1').trim();
  if (/ AND /.test(text)) return text.split(' AND ').every((part) => isAllowed(part, tool));
  if (/ OR /.test(text)) return text.split(' OR ').some((part) => isAllowed(part, tool));
  return ALLOWED.has(text) || (tool && ALLOWED_FOR_TOOLS.has(text));
}

/** Old packages name their licences in other members than today's. */
function installedLicence(path) {
  const file = join(path, 'package.json');
  if (!existsSync(file)) return undefined;
  const { license, licenses } = JSON.parse(readFileSync(file, 'utf8'));
  return license?.type ?? license ?? licenses?.[0]?.type;
}

/** Number of advisories of level high or critical for what is shipped. */
function advisories() {
  const run = spawnSync('npm', ['audit', '--json'], { cwd: folder, encoding: 'utf8', timeout: 60_000 });
  let found;
  try {
    found = JSON.parse(run.stdout).vulnerabilities;
  } catch {
    found = undefined;
  }
  if (!found) {
    console.log('Advisories: the registry could not be asked, so nothing is known.');
    return 0;
  }
  const shipped = Object.values(found).filter(({ nodes }) =>
    nodes.some((path) => !isTool(path.replace(/^.*node_modules\//, ''), packages[path] ?? {})),
  );
  const count = (level) => shipped.filter(({ severity }) => severity === level).length;
  const [critical, high] = [count('critical'), count('high')];
  console.log(
    `Advisories: ${critical} critical, ${high} high, ${count('moderate')} moderate, ${count('low')} low of what is shipped.`,
  );
  return critical + high;
}
