/** Threads of the service: one that the machine cannot start is no fault of what it was to do. */
import { Worker as Thread, type WorkerOptions } from 'node:worker_threads';
import { RegistryError } from '../registry/errors.js';

/** What Node throws where the system says no: it has no thread or memory left. */
const NOT_STARTED = 'ERR_WORKER_INIT_FAILED';

/**
 * @param program URL of its module
 * @param make for tests: the constructor
 * @throws RegistryError service.unavailable
 */
export function startThread(program: URL, options: WorkerOptions, make: typeof Thread = Thread): Thread {
  try {
    return new make(program, options);
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== NOT_STARTED) throw cause;
    const why = (cause as Error).message;
    throw new RegistryError(
      'service.unavailable',
      `The machine cannot start another thread at this moment (${why}); try again in some seconds.`,
      { cause },
    );
  }
}
