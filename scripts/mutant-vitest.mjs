/**
 * What a test file imports from vitest, for mutant-runner.mjs: tests are gathered instead of run. As much of it as the
 * suites of rules use, with vitest's own `expect`.
 */
import { createRequire } from 'node:module';
import { format } from 'node:util';

// The one that vitest brings: it is no package of ours.
const ofVitest = createRequire(createRequire(import.meta.url).resolve('vitest/package.json'));
const { ASYMMETRIC_MATCHERS_OBJECT, chai, getState, JestAsymmetricMatchers, JestChaiExpect, JestExtend, setState } =
  await import(ofVitest.resolve('@vitest/expect'));

for (const plugin of [JestExtend, JestChaiExpect, JestAsymmetricMatchers]) chai.use(plugin);

export const expect = (value, message) => chai.expect(value, message);
Object.assign(expect, chai.expect, globalThis[ASYMMETRIC_MATCHERS_OBJECT]);
expect.getState = () => getState(expect) ?? {};
expect.poll = (read, patience) => polled(read, patience, (value) => expect(value));
setState({ assertionCalls: 0, testPath: '' }, expect);

/** Most that is waited for, milliseconds: what a mutant keeps from coming is not worth the patience that it has in a suite. */
const PATIENCE = 3_000;

function polled(read, { timeout = PATIENCE, interval = 25 } = {}, expected) {
  const until = Date.now() + Math.min(timeout, PATIENCE);
  const holds = async (name, given) => {
    for (;;) {
      try {
        return expected(await read())[name](...given);
      } catch (error) {
        if (Date.now() > until) throw error;
        await new Promise((resolve) => setTimeout(resolve, interval));
      }
    }
  };
  return new Proxy(
    {},
    {
      get: (_, name) =>
        name === 'not'
          ? polled(read, { timeout, interval }, (value) => expected(value).not)
          : (...given) => holds(name, given),
    },
  );
}

const suite = (name, above) => ({ name, above, beforeAll: [], afterAll: [], beforeEach: [], afterEach: [] });
let open = suite('', undefined);
/** Since `begin`. */
let gathered = [];

/** @returns a function that ends the file and gives its tests: { name, suite, run } */
export function begin() {
  open = suite('', undefined);
  gathered = [];
  return () => gathered;
}

const fullName = (name) => [...suitesOf(open).map((each) => each.name), name].filter((part) => part !== '').join(' ');

/** Outermost first. */
export function suitesOf(inner) {
  return inner === undefined ? [] : [...suitesOf(inner.above), inner];
}

/** Of `(name, body)` and `(name, options, body)`: those that are slow are left out, as quicker ones try the same rules. */
const addTest = (name, ...rest) => {
  const run = bodyOf(name, rest);
  if (run) gathered.push({ name: fullName(name), suite: open, run });
};
const addSuite = (name, ...rest) => {
  const body = bodyOf(name, rest);
  if (!body) return;
  const above = open;
  open = suite(name, above);
  body();
  open = above;
};

function bodyOf(name, [first, second]) {
  const [options, body] = typeof first === 'function' ? [{}, first] : [first, second];
  if (typeof body !== 'function') throw new TypeError(`"${name}" has no body.`);
  return [options.tags].flat().includes('slow') ? undefined : body;
}

/** `it` or `describe` with what hangs on it: each, skip, skipIf, runIf. */
function withForms(add) {
  const each =
    (cases) =>
    (title, ...rest) => {
      const body = bodyOf(title, rest);
      if (!body) return;
      const spread = cases.every(Array.isArray);
      for (const [at, given] of cases.entries()) {
        const values = spread ? given : [given];
        add(`${titleOf(title, values, at)} (${at})`, () => body(...values));
      }
    };
  const nothing = Object.assign(() => {}, { each: () => () => {} });
  const forms = Object.assign((title, ...rest) => add(title, ...rest), { each, skip: nothing });
  forms.skipIf = (condition) => (condition ? nothing : forms);
  forms.runIf = (condition) => (condition ? forms : nothing);
  return forms;
}

function titleOf(title, values, at) {
  const numbered = title.replaceAll('%#', String(at));
  const named = numbered.replace(/\$(\w+)/g, (whole, name) => String(values[0]?.[name] ?? whole));
  return format(named, ...values).slice(0, 300);
}

export const it = withForms(addTest);
export const test = it;
export const describe = withForms(addSuite);
export const beforeAll = (hook) => open.beforeAll.push(hook);
export const afterAll = (hook) => open.afterAll.push(hook);
export const beforeEach = (hook) => open.beforeEach.push(hook);
export const afterEach = (hook) => open.afterEach.push(hook);
export const inject = () => undefined;
