/** Prints `PASSED FAILED` of vitest's JSON report; a file that failed without running a test counts as one failure. */
import { readFileSync } from 'node:fs';

const report = JSON.parse(readFileSync(process.argv[2], 'utf8'));
const dead = report.testResults.filter(
  ({ status, assertionResults }) => status === 'failed' && assertionResults.length === 0,
);
console.log(`${report.numPassedTests} ${report.numFailedTests + dead.length}`);
