/** What the system and a database say of a machine that cannot do its part for the moment: neither a request, a file nor the program is to blame. */
import { RegistryError } from './errors.js';

const OF_THE_MACHINE = /^(EMFILE|ENFILE|ENOMEM|EAGAIN|EIO|ESTALE|EROFS|SQLITE_(NOMEM|CANTOPEN|IOERR)\w*)$/;

export function machineFault(error: unknown): RegistryError | undefined {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (!OF_THE_MACHINE.test(code)) return undefined;
  const why =
    code === 'EROFS'
      ? 'The disk that this is written to is read-only'
      : 'The machine has no files or memory left for this, or cannot use its disk';
  return new RegistryError('service.unavailable', `${why} (${code}): whoever runs this service looks at its log.`, {
    cause: error,
  });
}
