/** `npm start`: reads the settings, puts the parts together, serves until a stop signal. */

import { setTimeout as delay } from 'node:timers/promises';
import { configOrExit } from './config.js';
import { serve } from './http/serve.js';
import { createLog } from './observability/log.js';
import { compose } from './wiring/compose.js';

/** The promise of the command: Ctrl-C ends it within this time, whatever hangs. */
const LAST_RESORT_MS = 1_500;

/** Addresses that this machine alone reaches. */
const LOOPBACK = /^(?:localhost|127\.\d+\.\d+\.\d+|::1)$/;

async function main(): Promise<void> {
  const config = configOrExit(process.env);
  const log = createLog(config.LOG_LEVEL);
  const service = await compose(config, log);
  const listening = await serve(service.app, { host: config.HOST, port: config.PORT, log }).catch(async (error) => {
    await service.close();
    throw error;
  });

  let stopping = false;
  const left = new AbortController();
  const stop = (signal: string) => {
    // Whoever asks again waits for nobody's leave.
    if (stopping) return left.abort();
    stopping = true;
    log.info({ signal }, 'stopping');
    const graceMs = config.SHUTDOWN_SECONDS * 1000;
    void (async () => {
      service.leaving.abort();
      listening.leave();
      if (signal === 'SIGTERM')
        await delay(config.LEAVE_SECONDS * 1000, undefined, { signal: left.signal }).catch(() => undefined);
      setTimeout(() => {
        log.error({ graceMs }, 'could not stop in time: the process ends with what it still does');
        process.exit(1);
      }, graceMs + LAST_RESORT_MS).unref();
      const until = performance.now() + graceMs;
      service.stopping.abort();
      const answered = listening.close(graceMs);
      // Some requests wait for what the workers do; the second half of the time is for both to end.
      await Promise.race([answered, delay(graceMs / 2)]);
      await Promise.all([answered, service.stopWork(Math.max(until - performance.now(), graceMs / 2))]);
      await service.close();
      process.exit();
    })().catch((error) => {
      log.error({ err: error }, 'could not stop in order');
      process.exit(1);
    });
  };
  process.on('SIGINT', () => stop('SIGINT'));
  process.on('SIGTERM', () => stop('SIGTERM'));
  // What nobody has caught leaves the process in an unknown state: it is written down, then the process ends in order
  // and whoever keeps it running starts another. Every acknowledged upload is in the store.
  process.on('uncaughtException', (error) => {
    log.fatal({ err: error }, 'an error that nobody caught');
    process.exitCode = 1;
    stop('uncaughtException');
  });

  // Whoever has read that it listens may end it in order.
  console.log(`Sample registry listening on ${listening.url}${config.BASE_PATH}`);
  if (!config.PUBLIC_URL && !LOOPBACK.test(config.HOST)) {
    log.warn(
      'PUBLIC_URL is not set: links in answers follow the Host header of each request. Set it to the address that clients use.',
    );
  }
  if (service.firstToken) {
    console.log(`Administrator's token of the account "admin", shown only this once: ${service.firstToken}`);
  }
}

main().catch((error: unknown) => {
  console.error(`The service could not start: ${error instanceof Error ? error.message : String(error)}`);
  process.exit(1);
});
