/** The log: one JSON object a line on standard output. No tokens, no passwords, no cell values. */
import { type DestinationStream, type Logger, pino } from 'pino';
import { LineOutput } from './line-output.js';

export type { Logger } from 'pino';

const STANDARD_OUTPUT = 1;

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
  if (to) return pino(options, to);
  const output = new LineOutput(STANDARD_OUTPUT);
  const log = pino(options, output);
  output.onLost = (lines) => log.warn({ lines }, 'standard output took no lines: so many of this log are lost');
  return log;
}
