import type { Command } from 'commander';
import { type AuditFinding, findInAudit } from '../../audit/find.js';
import type { ActiveSubmissionsReport, SiteReport } from '../../wiring/compose-operator.js';
import { counted } from '../counted.js';
import { EXIT } from '../exit-codes.js';
import { printJson, printLine } from '../print.js';
import { auditFolder, operate } from './operate.js';

/** Lines of the audit log that are printed. */
const MOST_LINES = 200;

/** `operations` and `audit find`: what an operator asks at night (docs/operations.md). */
export function addOperationsCommands(program: Command): void {
  program
    .command('operations')
    .description(
      'Whether everything behind the service answers, which disk is full, how far the search index is, when the last backup was; with --account, what is going on with its submissions.',
    )
    .option('--account <name>', 'why its submissions take long, and which worker has them')
    .option('--submissions', 'the same of all accounts')
    .option('--json', 'print JSON')
    .action(async ({ account, submissions, json }: { account?: string; submissions?: boolean; json?: boolean }) => {
      if (account !== undefined || submissions) {
        const report = await operate((operator) => operator.activeSubmissions(account));
        if (json) printJson(report);
        else for (const line of describeActive(report)) printLine(line);
        return;
      }
      const report = await operate((operator) => operator.site());
      if (json) printJson(report);
      else for (const line of describeSite(report)) printLine(line);
      if (!isWell(report)) process.exitCode = EXIT.refused;
    });

  const audit = program.commands.find((command) => command.name() === 'audit');
  audit
    ?.command('find')
    .description(
      'Who did it: lines of the audit log that name something, such as the id of a token or a submission, an account or a network address.',
    )
    .argument('<text>', 'what they name')
    .option('--json', 'print JSON, one line each')
    .action(async (text: string, { json }: { json?: boolean }) => {
      const found = await findInAudit(await auditFolder(), text, MOST_LINES);
      for (const line of found) {
        if (json) printJson(line);
        else printLine(describeAudit(line));
      }
      if (found.length === 0) {
        process.stderr.write('The audit log names it nowhere.\n');
        process.exitCode = EXIT.refused;
      }
    });
}

type Present<Name extends keyof SiteReport> = NonNullable<SiteReport[Name]>;

const describeAudit = ({ at, action, account = 'nobody known', address, outcome, object = '' }: AuditFinding): string =>
  `${at}  ${account}${address === undefined ? '' : ` from ${address}`}  ${action}  ${outcome}  ${object}`.trimEnd();

const isWell = ({ parts, disks, searchIndex }: SiteReport): boolean =>
  parts.every(({ fault }) => fault === undefined) &&
  disks.every(({ full }) => !full) &&
  searchIndex?.status !== 'standstill';

function describeSite({ parts, disks, searchIndex, lastBackup, queue, webhooks }: SiteReport): string[] {
  return [
    ...parts.map(({ name, fault }) => `${name}: ${fault === undefined ? 'answers' : `DOES NOT ANSWER: ${fault}`}`),
    ...disks.map(
      ({ folder, path, free, size, full }) =>
        `disk of ${folder} (${path}): ${full ? 'FULL, ' : ''}${gib(free)} of ${gib(size)} free`,
    ),
    ...(searchIndex === undefined ? [] : [describeIndex(searchIndex)]),
    ...(queue === undefined ? [] : [describeQueue(queue)]),
    ...(webhooks === undefined ? [] : [`webhooks: ${webhooks.waiting} events not delivered yet`]),
    `last backup: ${lastBackup ?? 'none was ever recorded'}`,
  ];
}

function describeIndex({ status, lag, behindSince = 'an unknown time', nameOnly }: Present<'searchIndex'>): string {
  const behind = lag > 0 ? `, ${counted(lag, 'change')} behind since ${behindSince}` : '';
  const byName = nameOnly.count > 0 ? `, ${counted(nameOnly.count, 'sample')} by name only` : '';
  return `search index: ${status}${behind}${byName}`;
}

function describeQueue({ running, waiting, oldestWaiting }: Present<'queue'>): string {
  const oldest = oldestWaiting === undefined ? '' : `, the oldest for ${Math.round(oldestWaiting / 1000)} s`;
  return `submissions: ${running} running, ${waiting} waiting${oldest} (operations --submissions says why)`;
}

function describeActive({ submissions, further }: ActiveSubmissionsReport): string[] {
  if (submissions.length === 0) return ['Nothing runs or waits.'];
  return [
    ...submissions.flatMap(({ submissionId, account, fileName, fileSize, accepted, what }) => [
      `${submissionId}  ${account}  ${fileName} (${fileSize} bytes), accepted ${accepted}`,
      `  ${what}`,
    ]),
    ...(further ? [`There are more than these ${submissions.length}; name an account with --account.`] : []),
  ];
}

const gib = (bytes: number): string => `${(bytes / 2 ** 30).toFixed(1)} GiB`;
