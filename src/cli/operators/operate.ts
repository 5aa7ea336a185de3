import { resolve } from 'node:path';
import { auditFiles } from '../../audit/files.js';
import { UnavailableError } from '../../client/failures.js';
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

type Work<T> = (operator: Operator, config: Config) => Promise<T>;

/**
 * Opens the store, does the work, and closes it again. Only now are the databases' libraries loaded.
 * @throws UnavailableError where the store is away, busy or full
 * @throws Error when there is no store: in another folder than the service's, or with another user's settings, a backup
 * of nothing would look like one
 */
export const operate = <T>(work: Work<T>): Promise<T> => opened(work, false);

/** The same for what may come before the first start of the service; makes the store when there is none. */
export const operateOnNew = <T>(work: Work<T>): Promise<T> => opened(work, true);

async function opened<T>(work: Work<T>, mayBeNew: boolean): Promise<T> {
  const config = await readConfig();
  const { Operator, isNotNow } = await import('../../wiring/compose-operator.js');
  try {
    const operator = await Operator.open(config, mayBeNew);
    try {
      return await work(operator, config);
    } finally {
      await operator.close();
    }
  } catch (error) {
    throw isNotNow(error) ? new UnavailableError(error.message, { cause: error }) : error;
  }
}

/** The folder of the audit log. @throws Error when none was ever written there, for the same reasons */
export async function auditFolder(): Promise<string> {
  const folder = (await readConfig()).AUDIT_DIR;
  if (auditFiles(folder).length > 0) return folder;
  throw new Error(`There is no audit log in ${resolve(folder)}. Set DATA_DIR or AUDIT_DIR as the service has it.`);
}
