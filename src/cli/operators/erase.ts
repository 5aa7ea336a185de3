import type { Command } from 'commander';
import type { EraseReport } from '../../wiring/compose-operator.js';
import { counted } from '../counted.js';
import { forTerminal, printJson, printLine } from '../print.js';
import { operate, reportProgress } from './operate.js';

interface EraseFlags {
  yes?: boolean;
  withKeys?: boolean;
  vacuum?: boolean;
  json?: boolean;
}

/** Lines of an upload that are named. */
const SHOWN = 10;

export function addEraseCommand(program: Command): void {
  program
    .command('erase')
    .description(
      'Erases samples for good: all that their versions said, what is attached to them, and the uploaded files that have rows of them. Says what would go; --yes erases it.',
    )
    .argument('<accession...>', 'accessions of the samples')
    .option('--yes', 'erase; nobody can take it back')
    .option('--with-keys', 'their keys too: an export that still has the samples registers them anew')
    .option(
      '--vacuum',
      'afterwards write the files of the database anew, unused parts and all; nobody writes meanwhile',
    )
    .option('--json', 'print the report as JSON')
    .action(async (accessions: string[], { yes, withKeys, vacuum, json }: EraseFlags) => {
      const report = await operate((operator) =>
        operator.erase({
          accessions,
          confirmed: yes === true,
          withKeys: withKeys === true,
          vacuum: vacuum === true,
          onProgress: reportProgress,
        }),
      );
      if (json) printJson(report);
      else printReport(report, { withKeys: withKeys === true, vacuum: vacuum === true });
    });
}

function printReport(
  { erased, samples, uploads, exports }: EraseReport,
  { withKeys, vacuum }: Required<Pick<EraseFlags, 'withKeys' | 'vacuum'>>,
): void {
  const say = (line: string): void => printLine(forTerminal(line));
  for (const { accession, account, name, versions, curations, tables, keys } of samples) {
    const parts = [
      counted(versions, 'version'),
      counted(curations, 'curation'),
      `${counted(tables, 'table')} of structured data`,
    ];
    const called = name === '' ? '' : ` ${JSON.stringify(name)}`;
    const kept = keys.length === 0 ? '' : `; ${withKeys ? 'its keys go too' : 'its keys stay'}: ${keys.join(', ')}`;
    say(`${accession}${called} of account ${account}: ${parts.join(', ')}${kept}`);
  }
  for (const { submissionId, fileName, account, lines, kept } of uploads) {
    const more = lines.length > SHOWN ? ` and ${lines.length - SHOWN} more` : '';
    const where = lines.length === 0 ? 'may have rows of them' : `line ${lines.slice(0, SHOWN).join(', ')}${more}`;
    const goes = kept
      ? 'its file goes, and with it result, mapping and errors of all its rows'
      : 'its file is gone already';
    say(`upload ${submissionId} of account ${account}, ${JSON.stringify(fileName)}, ${where}: ${goes}`);
  }
  const files = uploads.filter(({ kept }) => kept).length;
  const counts = `${counted(samples.length, 'sample')}, ${counted(files, 'uploaded file')}, ${counted(exports, 'kept export')}`;
  if (!erased) {
    say(`Nothing is erased yet: ${counts}. Give --yes to erase them.`);
    return;
  }
  say(`Erased: ${counts}. Backups from before still have them: after restoring one, erase them again.`);
  if (!vacuum)
    say(
      'Unused parts of the files of the database may hold bytes from before: --vacuum writes them anew, now or later.',
    );
}
