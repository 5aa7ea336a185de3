/** The log: one JSON object a line on standard output. No tokens, no passwords, no cell values. */
import { type DestinationStream, type Logger, pino } from 'pino';

export type { Logger } from 'pino';

/** `to` takes the lines instead of standard output; for tests and for command lines that print their own answers. */
export function createLog(level: string, name = 'sample-registry', to?: DestinationStream): Logger {
  const options = {
    name,
    level,
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: {
      paths: ['authorization', 'cookie', 'token', 'password', '*.authorization', '*.cookie', '*.token', '*.password'],
      censor: '[hidden]',
    },
  };
  return to ? pino(options, to) : pino(options);
}
