/**
 * Which licences the packages in package-lock.json have, and whether advisories are known for those that are shipped.
 * Ends with 1 for a licence that is not on the list, or an advisory of level high or above. A registry that cannot be
 * asked for advisories is said so and is no failure: the check then says nothing.
 * Shipped is what production installs and what the build has put into the programs: it runs after the build.
 * `node scripts/check-packages.mjs [FOLDER]` looks at another project (its own test does).
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { LISTS, licencesOf } from './licences.mjs';
import { ROOT } from './setup.mjs';

const folder = resolve(process.argv[2] ?? ROOT);
for (const [list] of LISTS) {
  if (folder !== ROOT || existsSync(join(folder, list))) continue;
  console.error(`Build first (npm run build): without ${list} it is not known which packages are inside.`);
  process.exit(1);
}
const { checked, refused, isTool } = licencesOf(folder);
for (const line of refused) console.error(line);
console.log(`Licences: ${checked} packages, ${refused.length} refused.`);

const worst = folder === ROOT ? advisories() : 0;
process.exit(refused.length > 0 || worst > 0 ? 1 : 0);

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
  const shipped = Object.values(found).filter(({ nodes }) => nodes.some((path) => !isTool(path)));
  const count = (level) => shipped.filter(({ severity }) => severity === level).length;
  const [critical, high] = [count('critical'), count('high')];
  console.log(
    `Advisories: ${critical} critical, ${high} high, ${count('moderate')} moderate, ${count('low')} low of what is shipped.`,
  );
  return critical + high;
}
