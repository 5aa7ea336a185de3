/**
 * When a worker process is to stop: at a signal, and when the process that forked it is gone, because then nobody would
 * restart it. Listening begins before anything is opened: a parent may die while its child still starts.
 */
export interface StopSignals {
  /** Runs `close` once, now when the time has come already, and then ends the process. */
  closing(close: () => Promise<void>): void;
}

export function stopSignals(host: NodeJS.Process): StopSignals {
  let asked = false;
  let close: (() => Promise<void>) | undefined;
  const stop = () => {
    if (asked) return;
    asked = true;
    if (close) void end(close);
  };
  const end = (finish: () => Promise<void>) => finish().finally(() => host.exit(0));
  host.on('SIGTERM', stop);
  host.on('SIGINT', stop);
  host.on('disconnect', stop);
  return {
    closing: (finish) => {
      close = finish;
      if (asked || host.connected === false) void end(finish);
    },
  };
}
