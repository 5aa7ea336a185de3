import { resolve } from 'node:path';
import { auditFiles } from '../../audit/files.js';
import { UnavailableError } from '../../client/failures.js';
import type { Config } from '../../config.js';
import type { Operator } from '../../wiring/compose-operator.js';

/** The service's own settings, so that a command finds the store that the service uses. */
export async function readConfig(env: Readonly<Record<string, string | undefined>> = process.env): Promise<Config> {
  const { ConfigError, loadConfig } = await import('../../config.js');
  try {
    return loadConfig(env);
  } catch (error) {
    throw error instanceof ConfigError ? new Error(`The settings cannot be used:\n${error.faults.join('\n')}`) : error;
  }
}

/** The settings with this address, as it was given to a command, in place of the store's; its password may be a setting of its own. */
export const readConfigOf = (store: string | undefined): Promise<Config> =>
  readConfig(store === undefined ? process.env : { ...process.env, STORE_URL: store, STORE_URL_FILE: undefined });

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
  const { Operator } = await import('../../wiring/compose-operator.js');
  return attempted(async () => {
    const operator = await Operator.open(config, mayBeNew);
    try {
      return await work(operator, config);
    } finally {
      await operator.close();
    }
  });
}

/** Work on stores. @throws UnavailableError where one is away, busy or full */
export async function attempted<T>(work: () => Promise<T>): Promise<T> {
  const { isNotNow } = await import('../../wiring/compose-operator.js');
  try {
    return await work();
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

/** On a terminal only, over and over on the same line. */
export function reportProgress(done: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r${done}   `);
}
