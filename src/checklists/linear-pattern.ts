/**
 * Regular expressions of checklists run on a linear-time engine (RE2): a checklist is someone else's file and a cell is
 * someone else's text, and with V8's own engine `^(a+)+$` against 30 characters already takes seconds. Measured with
 * the field's checklists: 0.3–1.7 µs per value, 5 000 hostile characters under 2 ms.
 */
import { openSync, readSync } from 'node:fs';
import { createContext, Script } from 'node:vm';
import { RE2JS } from 're2js';

export interface Pattern {
  test(text: string): boolean;
  /** The source, as ajv's key of the compiled pattern. */
  toString(): string;
}

/** Processor time that a pattern may take which the linear engine cannot express (look-around, back-references), each time that it is tried. */
const WATCHDOG_MS = 25;
/** That often it has to take all of it; then it counts as no match. */
const TRIED = 2;
/** The watchdog's clock and that of the processor are read apart. */
const AS_GOOD_AS_ALL_MS = 20;
/** Whatever the system says of the processor. */
const LONGEST_MS = 5_000;

const compiled = new Map<string, Pattern>();

/**
 * JSON Schema's `pattern`: found anywhere in the text unless anchored.
 * @throws SyntaxError when it is no regular expression at all
 */
export function compilePattern(source: string): Pattern {
  const known = compiled.get(source);
  if (known) return known;
  const pattern = linear(source) ?? watched(source);
  compiled.set(source, pattern);
  return pattern;
}

function linear(source: string): Pattern | undefined {
  try {
    const re = RE2JS.compile(RE2JS.translateRegExp(source));
    return { test: (text) => re.test(text), toString: () => source };
  } catch {
    return undefined;
  }
}

/**
 * Look-around needs V8's engine; it runs under a watchdog thread that ends it. About 0.1 ms per value, and values are cached.
 * The watchdog sees time that passes: on a busy machine, or under a limit of processor time, a thread waits for its turn for
 * longer than that (one value of eleven beside eight busy processes on one core), and a good value were refused. So what was
 * ended before it had its processor time runs again, for twice as long. What the thread does beside it is counted, too: memory that is
 * tidied up took all of the time of a match that takes 0.1 ms. So nothing is refused by one try.
 */
function watched(source: string): Pattern {
  const re = compileNative(source);
  const sandbox = createContext({ re, text: '' });
  const script = new Script('re.test(text)');
  return {
    test(text) {
      sandbox.text = text;
      let taken = 0;
      for (let timeout = WATCHDOG_MS; ; ) {
        const began = processorMs();
        try {
          return script.runInContext(sandbox, { timeout }) === true;
        } catch (error) {
          if ((error as NodeJS.ErrnoException).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error;
          if (processorMs() - began >= AS_GOOD_AS_ALL_MS) taken++;
          else timeout *= 2;
          if (taken === TRIED || timeout > LONGEST_MS) return false;
        }
      }
    },
    toString: () => source,
  };
}

let clock: (() => number) | undefined;

function processorMs(): number {
  clock ??= clockOfThread();
  return clock();
}

/** Says the processor time that this thread has had, in 4 µs; that of the whole process where the system does not tell threads apart. */
function clockOfThread(): () => number {
  try {
    const file = openSync('/proc/thread-self/schedstat', 'r');
    const text = Buffer.alloc(64);
    return () => Number(text.toString('latin1', 0, readSync(file, text, 0, text.length, 0)).split(' ')[0]) / 1e6;
  } catch {
    return () => {
      const { user, system } = process.cpuUsage();
      return (user + system) / 1000;
    };
  }
}

function compileNative(source: string): RegExp {
  try {
    return new RegExp(source, 'u');
  } catch {
    return new RegExp(source);
  }
}

/** The engine in ajv's shape. */
export const regExpEngine = Object.assign((source: string) => compilePattern(source), { code: 'compilePattern' });
