import type { Command } from 'commander';
import { verifyAudit } from '../../audit/verify.js';
import type { LostOriginal } from '../../wiring/compose-operator.js';
import { counted } from '../counted.js';
import { EXIT } from '../exit-codes.js';
import { forTerminal, printJson, printLine } from '../print.js';
import { attempted, auditFolder, operate, operateOnNew, readConfig, readConfigOf, reportProgress } from './operate.js';

/** Faults shown; the number of all is reported. */
const SHOWN = 100;

interface PurgeFlags {
  json?: boolean;
  findOrphans?: boolean;
  removeOrphans?: boolean;
}

/** `migrate`, `migrate-store`, `backup`, `restore`, `verify`, `reindex`, `purge`, `audit verify`. */
export function addUpkeepCommands(program: Command): void {
  program
    .command('migrate')
    .description('Brings the store to the newest schema; starting the service does the same.')
    .action(async () => {
      await operateOnNew((operator) => operator.store.check());
      printLine('The store has the newest schema.');
    });

  program
    .command('migrate-store')
    .description('Copies a registry from an SQLite file into an empty PostgreSQL schema, all of it or nothing.')
    .requiredOption('--from <address>', 'sqlite:FILE; stop the service first')
    .option('--to <address>', 'postgres://…; by default STORE_URL')
    .option('--json', 'print the report as JSON')
    .action(async ({ from, to, json }: { from: string; to?: string; json?: boolean }) => {
      const { moveStore } = await import('../../wiring/compose-operator.js');
      const config = await readConfigOf(to);
      const report = await attempted(() =>
        moveStore(config, from, config.STORE_URL, (name, rows) => {
          if (!json) printLine(`${name}: ${counted(rows, 'row')}, equal on both sides`);
        }),
      );
      if (json) printJson(report);
      else
        printLine(
          `${counted(report.samples, 'sample')} and ${counted(report.submissions, 'submission')} are at the new address.`,
        );
    });

  program
    .command('backup')
    .description('Writes the store as of now and the uploaded files into a folder; the service may go on meanwhile.')
    .argument('[folder]', 'new folder')
    .option('--record', 'only records that a backup was taken by other means, for the metrics')
    .option('--json', 'print the manifest as JSON')
    .action(async (folder: string | undefined, { json, record }: { json?: boolean; record?: boolean }) => {
      if ((folder === undefined) !== (record === true)) throw new Error('Give a folder, or --record and none.');
      if (folder === undefined) {
        await operate((operator) => operator.store.recordBackup(Date.now()));
        printLine('Recorded a backup of now.');
        return;
      }
      const manifest = await operate((operator) => operator.backup(folder));
      const { submissions, originals, lost = [] } = manifest;
      if (json) printJson(manifest);
      else printLine(`${folder}: ${submissions} submissions, ${originals} uploaded files.`);
      printLost(lost, 'not in the backup');
    });

  program
    .command('restore')
    .description('Brings a backup to where the settings say; there must be no store yet. Verifies it afterwards.')
    .argument('<folder>', 'folder of the backup')
    .option(
      '--continue-after <accession>',
      'the last accession that was given before the loss: numbers go on behind it; without it a million are passed over',
    )
    .action(async (folder: string, { continueAfter }: { continueAfter?: string }) => {
      const { restoreBackup } = await import('../../wiring/compose-operator.js');
      const config = await readConfig();
      const { manifest, lost, next, passedOver } = await attempted(() => restoreBackup(config, folder, continueAfter));
      printLine(`Restored the backup of ${manifest.created}. The next accession is ${next}.`);
      if (passedOver > 0) {
        printLine(
          `${passedOver} numbers are passed over, so that none is given again that was given after that moment. If more were given, or to lose no numbers, empty this place and restore with --continue-after and the last one that was given.`,
        );
      }
      printLost(lost, 'not restored');
      await runVerify({ originals: true });
    });

  program
    .command('verify')
    .description(
      'Checks every submission against its ledger and its uploaded file, and every sample; tells a fingerprint of all samples.',
    )
    .option('--originals', 'also reads every byte of the uploaded files')
    .option('--json', 'print the report as JSON')
    .action(runVerify);

  program
    .command('reindex')
    .description('Builds the search index anew.')
    .action(async () => {
      await operate((operator) => operator.reindex((left) => reportProgress(`${counted(left, 'sample')} to go`)));
      printLine('The search index knows every sample.');
    });

  program
    .command('purge')
    .description('Removes what the settings RETENTION_… no longer keep; the service does the same once a day.')
    .option('--find-orphans', 'only name stored files, older than a day, that no submission of this store has')
    .option('--remove-orphans', 'remove these alone; not where another store shares the storage')
    .option('--json', 'print JSON')
    .action(async ({ json, findOrphans, removeOrphans }: PurgeFlags) => {
      if (findOrphans || removeOrphans) {
        const orphans = await operate((operator) => operator.findOrphans(removeOrphans === true));
        if (json) printJson({ orphans, removed: removeOrphans === true });
        else {
          for (const key of orphans) printLine(key);
          printLine(
            `${counted(orphans.length, 'stored file')} without a submission${removeOrphans ? ', removed' : ''}.`,
          );
        }
        return;
      }
      const purged = await operate((operator) => operator.purge());
      if (json) printJson(purged);
      else
        printLine(
          `Removed ${purged.originals} uploaded files, ${purged.unaccepted} more that never became a submission, ${purged.ledgers} ledgers, ${purged.idempotencyKeys} idempotency keys, ` +
            `${purged.webhookDeliveries} webhook deliveries, ${purged.auditFiles.length} files of the audit log.`,
        );
    });

  program
    .command('audit')
    .description('The audit log.')
    .command('verify')
    .description('Recomputes every hash; tells where a line was changed, removed or added.')
    .option('--json', 'print the report as JSON')
    .action(async ({ json }: { json?: boolean }) => {
      const report = await verifyAudit(await auditFolder());
      if (json) printJson(report);
      for (const { file, line, message } of json ? [] : report.faults) printLine(`${file}:${line}: ${message}`);
      if (!json)
        printLine(
          `${counted(report.lines, 'line')} in ${counted(report.files, 'file')}, ${counted(report.faults.length, 'fault')}.`,
        );
      process.exitCode = report.faults.length === 0 ? EXIT.done : EXIT.refused;
    });
}

/** Of uploaded files that are gone: each is named, and the command does not end as if all were well. */
function printLost(lost: readonly LostOriginal[], what: string): void {
  for (const { submissionId, fileName, fault } of lost) {
    const line = `The uploaded file ${JSON.stringify(fileName)} of submission ${submissionId} is ${fault}: ${what}.`;
    process.stderr.write(`${forTerminal(line)}\n`);
  }
  if (lost.length > 0) process.exitCode = EXIT.refused;
}

async function runVerify({ originals, json }: { originals?: boolean; json?: boolean }): Promise<void> {
  const report = await operate((operator) =>
    operator.verify({ originals: originals === true, onProgress: reportProgress }),
  );
  if (json) printJson(report);
  else {
    for (const { rule, place, message } of report.faults.slice(0, SHOWN)) printLine(`${rule}, ${place}: ${message}`);
    printLine(
      `${counted(report.samples, 'sample')}, ${counted(report.submissions, 'submission')} (${report.active} not ended), ${counted(report.faults.length, 'fault')}.`,
    );
    if (report.unchecked > 0) {
      printLine(`${report.unchecked} versions of samples are from before there were checksums; they are believed.`);
    }
    printLine(`fingerprint ${report.fingerprint}`);
  }
  if (report.faults.length > 0) process.exitCode = EXIT.refused;
}
