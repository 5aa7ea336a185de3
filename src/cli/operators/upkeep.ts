import { type Command, Option } from 'commander';
import { verifyAudit } from '../../audit/verify.js';
import { EXIT } from '../exit-codes.js';
import { printJson, printLine } from '../print.js';
import { operate, readConfig } from './operate.js';

/** Faults shown; the number of all is reported. */
const SHOWN = 100;

/** `migrate`, `migrate-store`, `backup`, `restore`, `verify`, `reindex`, `purge`, `audit verify`. */
export function addUpkeepCommands(program: Command): void {
  program
    .command('migrate')
    .description('Brings the store to the newest schema; starting the service does the same.')
    .action(async () => {
      await operate((operator) => operator.store.check());
      printLine('The store has the newest schema.');
    });

  program
    .command('migrate-store')
    .description('Copies a registry from an SQLite file into an empty PostgreSQL schema, all of it or nothing.')
    .requiredOption('--from <address>', 'sqlite:FILE; stop the service first')
    .addOption(new Option('--to <address>', 'postgres://…').env('STORE_URL').makeOptionMandatory())
    .option('--json', 'print the report as JSON')
    .action(async ({ from, to, json }: { from: string; to: string; json?: boolean }) => {
      const { moveStore } = await import('../../wiring/compose-operator.js');
      const report = await moveStore(await readConfig(), from, to, (name, rows) => {
        if (!json) printLine(`${name}: ${rows} rows, equal on both sides`);
      });
      if (json) printJson(report);
      else printLine(`${report.samples} samples and ${report.submissions} submissions are at the new address.`);
    });

  program
    .command('backup')
    .description('Writes the store as of now and the uploaded files into a folder; the service may go on meanwhile.')
    .argument('<folder>', 'new folder')
    .option('--json', 'print the manifest as JSON')
    .action(async (folder: string, { json }: { json?: boolean }) => {
      const manifest = await operate((operator) => operator.backup(folder));
      if (json) printJson(manifest);
      else printLine(`${folder}: ${manifest.submissions} submissions, ${manifest.originals} uploaded files.`);
    });

  program
    .command('restore')
    .description('Brings a backup to where the settings say; there must be no store yet. Verifies it afterwards.')
    .argument('<folder>', 'folder of the backup')
    .action(async (folder: string) => {
      const { restoreBackup } = await import('../../wiring/compose-operator.js');
      const manifest = await restoreBackup(await readConfig(), folder);
      printLine(`Restored the backup of ${manifest.created}.`);
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
      await operate((operator) => operator.reindex((left) => reportProgress(`${left} samples to go`)));
      printLine('The search index knows every sample.');
    });

  program
    .command('purge')
    .description('Removes what the settings RETENTION_… no longer keep; the service does the same once a day.')
    .option('--json', 'print JSON')
    .action(async ({ json }: { json?: boolean }) => {
      const purged = await operate((operator) => operator.purge());
      if (json) printJson(purged);
      else
        printLine(
          `Removed ${purged.originals} uploaded files, ${purged.ledgers} ledgers, ${purged.idempotencyKeys} idempotency keys, ` +
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
      const report = await verifyAudit((await readConfig()).AUDIT_DIR);
      if (json) printJson(report);
      for (const { file, line, message } of json ? [] : report.faults) printLine(`${file}:${line}: ${message}`);
      if (!json) printLine(`${report.lines} lines in ${report.files} files, ${report.faults.length} faults.`);
      process.exitCode = report.faults.length === 0 ? EXIT.done : EXIT.refused;
    });
}

async function runVerify({ originals, json }: { originals?: boolean; json?: boolean }): Promise<void> {
  const report = await operate((operator) =>
    operator.verify({ originals: originals === true, onProgress: reportProgress }),
  );
  if (json) printJson(report);
  else {
    for (const { rule, place, message } of report.faults.slice(0, SHOWN)) printLine(`${rule}, ${place}: ${message}`);
    printLine(
      `${report.samples} samples, ${report.submissions} submissions (${report.active} not ended), ${report.faults.length} faults.`,
    );
    printLine(`fingerprint ${report.fingerprint}`);
  }
  process.exitCode = report.faults.length === 0 ? EXIT.done : EXIT.refused;
}

/** On a terminal only, over and over on the same line. */
function reportProgress(done: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r${done}   `);
}
