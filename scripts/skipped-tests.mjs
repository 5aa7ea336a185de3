/** Which tests of a run were skipped and why, from vitest's JSON report and the words of the skipping files. */
import { readFileSync } from 'node:fs';

/** What a file says where it skips, and the reason; the first that holds counts. */
const REASONS = [
  [/withoutFixtures\(/, 'fixtures', 'without the sheets of others (FIXTURES_DIR)'],
  [/without\('chromium'\)|TEST_CHROMIUM/, 'chromium', 'without chromium'],
  [/without\('redis'\)|lacks\('redis-server'\)/, 'redis-server', 'without redis-server'],
  [/without\('postgres'\)|lacksPostgres\(/, 'postgres', 'without postgres'],
  [/lacks\('prometheus'\)/, 'prometheus', 'without prometheus'],
  [/lacks\('pgbouncer'\)/, 'pgbouncer', 'without pgbouncer'],
  [/lacks\('systemd-analyze'\)/, 'systemd-analyze', 'without systemd-analyze'],
  [/runIf\(PROOF\)/, 'proof', 'long forms (npm run proof)'],
];
const SLOW = 'slow ones (npm run test:all)';
/** Tags of tests, and the reason; the first that a test has counts. */
const TAGS = [
  ['slow', SLOW],
  ['bounds', 'bounds of memory and time (npm run test:all)'],
  ['engines', 'of other engines (npm run test:all)'],
];
const OTHER = 'for what their files say';

/** Whether a run with these arguments has the slow tests, too: where they are asked for, and where files, a project or a name are chosen. */
export const hasSlow = (given) =>
  given.some((argument) => ['--all', '--proof'].includes(argument) || /^(?!-)|^--project=/.test(argument));

/**
 * @param report vitest's JSON report
 * @param absent what this run had not: `fixtures`, `proof`, and tags for those tests, names of programs
 * @param files how many files were not even loaded, all of whose tests are slow
 * @param source reads a test file
 * @returns one line, '' when nothing was skipped
 */
export function skippedLine(report, absent, files = 0, source = (path) => readFileSync(path, 'utf8')) {
  const counts = new Map();
  let all = 0;
  for (const { name, assertionResults } of report.testResults) {
    all += assertionResults.length;
    const skipped = assertionResults.filter(({ status }) => status !== 'passed' && status !== 'failed');
    const add = (why, count) => count > 0 && counts.set(why, (counts.get(why) ?? 0) + count);
    let others = skipped;
    for (const [tag, why] of TAGS.filter(([name]) => absent.includes(name))) {
      const left = others.filter(({ tags }) => !tags?.includes(tag));
      add(why, others.length - left.length);
      others = left;
    }
    if (others.length === 0) continue;
    const text = source(name);
    add(REASONS.find(([words, what]) => absent.includes(what) && words.test(text))?.[2] ?? OTHER, others.length);
  }
  if (counts.size === 0 && files === 0) return '';
  const sum = [...counts.values()].reduce((total, count) => total + count, 0);
  const parts = [...counts].sort(([, one], [, other]) => other - one).map(([why, count]) => `${count} ${why}`);
  const said = sum === 0 ? [] : [`Skipped ${sum} of ${all} tests: ${parts.join(', ')}.`];
  if (files > 0) said.push(`Not loaded: ${files} files of ${SLOW}.`);
  return said.join(' ');
}
