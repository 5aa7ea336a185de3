/**
 * The time of the server's clock, in which leases are written, so that they mean the same on every machine. It goes on by a clock that
 * nobody can set: where a machine's own was set by an hour while its worker ran, that worker took the submissions of living ones, over
 * and over, until it was started again.
 */
const MEASURE_EVERY_MS = 60_000;
/** The machine's clock was set, or the machine slept. */
const STEP_MS = 500;
/** An answer that took longer does not say which moment it tells. */
const PROMPT_MS = 1_000;

/** One moment by the server's clock, by this machine's, and by the one that cannot be set. */
interface Moment {
  server: number;
  own: number;
  steady: number;
}

export class ServerClock {
  private at: Moment = momentAt(Date.now());
  private measuring = false;

  /** `ask` resolves to milliseconds since 1970. */
  constructor(private readonly ask: () => Promise<number>) {}

  /** Before the first time that `now` counts; this machine's clock is taken until then. */
  async measure(): Promise<void> {
    this.at = (await this.look()).moment;
  }

  readonly now = (): number => {
    const { server, own, steady } = this.at;
    const passed = performance.now() - steady;
    if (passed > MEASURE_EVERY_MS || Math.abs(Date.now() - own - passed) > STEP_MS) void this.measureAnew();
    return Math.round(server + passed);
  };

  private async measureAnew(): Promise<void> {
    if (this.measuring) return;
    this.measuring = true;
    try {
      const { moment, took } = await this.look();
      if (took < PROMPT_MS) this.at = moment;
    } catch {
      // The server is away; whoever next asks for the time tries again.
    } finally {
      this.measuring = false;
    }
  }

  private async look(): Promise<{ moment: Moment; took: number }> {
    const before = performance.now();
    const server = await this.ask();
    const took = performance.now() - before;
    return { moment: momentAt(server + took / 2), took };
  }
}

const momentAt = (server: number): Moment => ({ server, own: Date.now(), steady: performance.now() });
