import { Command, CommanderError } from 'commander';
import { VERSION } from '../version.js';
import { addCompletionCommand } from './completion.js';
import { EXIT, type ExitCode, exitCodeOfFailure } from './exit-codes.js';
import { asFlags } from './flags.js';
import { addListCommands } from './lists.js';
import { addLoginCommand } from './login.js';
import { addAccountCommands } from './operators/accounts.js';
import { addEraseCommand } from './operators/erase.js';
import { addMirrorCommand } from './operators/mirror.js';
import { addOperationsCommands } from './operators/operations.js';
import { addProcessCommands } from './operators/processes.js';
import { addUpkeepCommands } from './operators/upkeep.js';
import { forTerminal } from './print.js';
import { addProfileCommands } from './profiles.js';
import { addSampleCommands, addSamplesCommand } from './samples.js';
import { addSubmissionCommands } from './submissions.js';
import { addUploadCommand } from './upload.js';
import { addWatchCommand } from './watch.js';

/**
 * Does what the words of a command line say, with this process's environment, folder and streams.
 * @returns the exit code; whatever went wrong was said on standard error.
 */
export async function runCommandLine(words: readonly string[]): Promise<ExitCode> {
  process.exitCode = undefined;
  try {
    await commands().parseAsync(words, { from: 'user' });
    return (process.exitCode as ExitCode | undefined) ?? EXIT.done;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.usage;
    process.stderr.write(`${forTerminal(asFlags(error instanceof Error ? error.message : String(error)))}\n`);
    return exitCodeOfFailure(error);
  }
}

function commands(): Command {
  const program = new Command('sample-registry')
    .description('Registers samples from tables at a sample registry, and keeps such a registry.')
    .version(VERSION)
    .addHelpText(
      'after',
      '\nExit codes: 0 done, 1 wrong use, 2 rows rejected, 3 try again later, 4 refused, 5 a standing sheet was stopped.',
    )
    .exitOverride();

  addUploadCommand(program);
  addSubmissionCommands(program);
  addSampleCommands(program);
  addSamplesCommand(program);
  addProfileCommands(program);
  addWatchCommand(program);
  addListCommands(program);
  addLoginCommand(program);
  addCompletionCommand(program);

  program.commandsGroup('On the store itself, with the settings of the service:');
  addProcessCommands(program);
  addAccountCommands(program);
  addUpkeepCommands(program);
  addEraseCommand(program);
  addOperationsCommands(program);
  addMirrorCommand(program);
  return program;
}
