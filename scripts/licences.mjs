/**
 * Which licences the packages in a project's package-lock.json have. Shipped is what production installs and what the
 * build has put into the programs and the page.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

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

/** Where the build writes the licences of the packages inside the programs (scripts/bundle.mjs) and inside the page. */
export const LISTS = [
  [join('dist', 'THIRD-PARTY-LICENSES.txt'), /(?:^|-{80}\n\n)(\S+) \S+ \([^)\n]*\)/g],
  [join('web', 'dist', 'licences.md'), /^## (\S+) - \S+ \([^)\n]*\)$/gm],
];

/** How many packages were looked at, which have a licence that is not on the list, and whether a path's is a tool alone. */
export function licencesOf(folder) {
  const { packages } = JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8'));
  const bundled = new Set();
  for (const [list, entries] of LISTS) {
    if (!existsSync(join(folder, list))) continue;
    for (const [, name] of readFileSync(join(folder, list), 'utf8').matchAll(entries)) bundled.add(name);
  }
  const isTool = (path) => packages[path]?.dev === true && !bundled.has(nameOf(path));
  const refused = [];
  let checked = 0;
  for (const [path, entry] of Object.entries(packages)) {
    if (path === '' || entry.link) continue;
    const licence = entry.license ?? installedLicence(join(folder, path)) ?? IN_THE_README[nameOf(path)];
    // A binary of another platform is not here and its entry says nothing; the one of this platform is looked at.
    if (licence === undefined && entry.optional && !existsSync(join(folder, path))) continue;
    checked++;
    if (!isAllowed(licence ?? '', isTool(path))) refused.push(`${path}: ${licence ?? 'no licence is named'}`);
  }
  return { checked, refused, isTool };
}

const nameOf = (path) => path.replace(/^.*node_modules\//, '');

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
