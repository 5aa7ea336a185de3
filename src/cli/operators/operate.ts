import type { Config } from '../../config.js';
import type { Operator } from '../../wiring/compose-operator.js';

/** The service's own settings, so that a command finds the store that the service uses. */
export async function readConfig(): Promise<Config> {
  const { ConfigError, loadConfig } = await import('../../config.js');
  try {
    return loadConfig(process.env);
  } catch (error) {
    throw error instanceof ConfigError ? new Error(`The settings cannot be used:\n${error.faults.join('\n')}`) : error;
  }
}

/** Opens the store, does the work, and closes it again. Only now are the databases' libraries loaded. */
export async function operate<T>(work: (operator: Operator, config: Config) => Promise<T>): Promise<T> {
  const config = await readConfig();
  const { Operator } = await import('../../wiring/compose-operator.js');
  const operator = await Operator.open(config);
  try {
    return await work(operator, config);
  } finally {
    await operator.close();
  }
}
