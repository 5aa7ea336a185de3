/** How a worker process starts and ends: settings, parts, and whoever asks it to stop. */
import { type Config, configOrExit } from '../src/config.js';
import { stopSignals } from './stop-signals.js';

/** `open` puts the process together; what it cannot start with is one line on standard error and exit code 1. */
export async function run<Parts extends { close(): Promise<void> }>(
  program: string,
  open: (config: Config) => Promise<Parts>,
): Promise<Parts> {
  const signals = stopSignals(process);
  const config = configOrExit(process.env);
  try {
    const parts = await open(config);
    signals.closing(() => parts.close());
    return parts;
  } catch (error) {
    console.error(`The ${program} could not start: ${error instanceof Error ? error.message : String(error)}`);
    return process.exit(1);
  }
}
