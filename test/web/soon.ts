/**
 * Locators that look again soon. The driver looks for what is not there yet after 20, 50, 100 and 100 ms and then twice a
 * second, and half of the time of these suites went by between the moment when something was there and the next look. It
 * looks more often the less time it is given (every 50 ms below half a second), so each wait is made of short ones; of longer ones when
 * these have not answered, as on a busy machine a look itself may take half a second.
 */
import { errors, type Locator, type Page } from 'playwright-core';

const SHORT_MS = 490;
/** Waits of that length, before they grow. */
const SHORT_WAITS = 10;

type Options = { timeout?: number } | undefined;
type Call = (this: Locator, ...args: unknown[]) => Promise<unknown>;

/** Where the options stand among the arguments of what only reads: asked again until it answers. */
const READS = {
  waitFor: 0,
  textContent: 0,
  innerText: 0,
  inputValue: 0,
  boundingBox: 0,
  isDisabled: 0,
  isEnabled: 0,
  getAttribute: 1,
} as const;
/** What has an effect is done once, when the element is there, or in sight and enabled for a pointer. */
const ACTS = ['evaluate', 'evaluateHandle', 'fill', 'press', 'focus', 'setInputFiles', 'dispatchEvent', 'ariaSnapshot'];
const PRESSES = ['click', 'check', 'uncheck'];

const MARK = Symbol('looks again soon');

/** Of every page of this process, as they share what locators are made of. */
export function lookAgainSoon(page: Page, patienceMs: number): void {
  const locators = Object.getPrototypeOf(page.locator('html')) as Record<string | symbol, unknown>;
  if (locators[MARK]) return;
  locators[MARK] = true;
  const replace = (name: string, by: (original: Call) => Call) => {
    locators[name] = by(locators[name] as Call);
  };
  for (const [name, at] of Object.entries(READS)) replace(name, (original) => inShortWaits(original, at, patienceMs));
  for (const name of ACTS) {
    replace(
      name,
      (original) =>
        async function act(...args) {
          await this.waitFor({ state: 'attached' });
          return original.apply(this, args);
        },
    );
  }
  for (const name of PRESSES) {
    replace(
      name,
      (original) =>
        async function press(...args) {
          const options = args[0] as Options;
          await this.waitFor(options?.timeout === undefined ? {} : { timeout: options.timeout });
          return original.apply(this, args);
        },
    );
  }
}

function inShortWaits(original: Call, at: number, patienceMs: number): Call {
  return async function look(...args) {
    const options = args[at] as Options;
    const until = Date.now() + (options?.timeout ?? patienceMs);
    for (let waits = 1; ; waits++) {
      const left = until - Date.now();
      const wait = waits > SHORT_WAITS ? SHORT_MS * (waits - SHORT_WAITS) : SHORT_MS;
      const given = args.slice(0, at).concat({ ...options, timeout: Math.max(1, Math.min(wait, left)) });
      try {
        return await original.apply(this, given);
      } catch (error) {
        if (!(error instanceof errors.TimeoutError) || left <= wait) throw error;
      }
    }
  };
}
