/**
 * A test runner for Stryker that loads the suites of rules once and then switches from mutant to mutant in one process:
 * a mutant costs what its tests cost, not a start of vitest and a load of every module (measured: 0.3 s of processor).
 */
import { register } from 'node:module';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { pathToFileURL } from 'node:url';

const STAND_IN = new URL('./mutant-vitest.mjs', import.meta.url).href;

const HOOK = `export const resolve = (name, context, next) =>
  name === 'vitest' ? { url: ${JSON.stringify(STAND_IN)}, shortCircuit: true } : next(name, context);`;

export const strykerPlugins = [{ kind: 'TestRunner', name: 'in-one-process', factory: runner }];
runner.inject = ['options'];

function runner({ inOneProcess: { suites, modules } }) {
  // What the changed code asks which mutant it is, and writes down what it reaches.
  globalThis.__stryker__ ??= {};
  const state = globalThis.__stryker__;
  /** Id of the test → { name, suite, run, file }. */
  const tests = new Map();
  return {
    capabilities: () => ({ reloadEnvironment: false }),
    init: async () => {
      // RANDOM_SEED and the like are read by the suites when they are loaded.
      (await import('tsx/esm/api')).register();
      register(`data:text/javascript,${encodeURIComponent(HOOK)}`);
      const { begin } = await import(STAND_IN);
      // What a module does once, no later mutant can change: loaded by a test, it would seem to be that test's.
      for (const file of modules) await import(pathToFileURL(join(process.cwd(), file)).href);
      for (const file of suites) {
        const end = begin();
        await import(pathToFileURL(join(process.cwd(), file)).href);
        for (const test of end()) tests.set(idOf(tests, `${file}: ${test.name}`), { ...test, file });
      }
    },
    dryRun: async () => {
      state.activeMutant = undefined;
      state.mutantCoverage ??= { static: {}, perTest: {} };
      const results = await runTests(tests, [...tests.keys()], state, false);
      const { mutantCoverage } = state;
      state.mutantCoverage = { static: {}, perTest: {} };
      // A suite that cannot run twice in one process would notice every mutant after the first, whatever it is.
      const again = await runTests(tests, [...tests.keys()], state, false);
      const firstTime = new Map(results.map((result) => [result.id, result]));
      const either = again.map((result) => (result.status === 'failed' ? result : firstTime.get(result.id)));
      const asStrykerSays = either.map((result) => ({ ...result, status: result.status === 'failed' ? 1 : 0 }));
      return { status: 'complete', tests: asStrykerSays, mutantCoverage };
    },
    mutantRun: async ({ activeMutant, testFilter, hitLimit, disableBail }) => {
      Object.assign(state, {
        activeMutant: activeMutant.id,
        hitCount: hitLimit === undefined ? undefined : 0,
        hitLimit,
      });
      const results = await runTests(tests, testFilter ?? [...tests.keys()], state, !disableBail);
      const looped = hitLimit !== undefined && state.hitCount > hitLimit;
      Object.assign(state, { activeMutant: undefined, hitCount: undefined });
      const failed = results.filter(({ status }) => status === 'failed');
      if (looped) return { status: 'timeout', reason: 'It went round too often.' };
      if (failed.length === 0) return { status: 'survived', nrOfTests: results.length };
      const [{ failureMessage }] = failed;
      return { status: 'killed', killedBy: failed.map(({ id }) => id), failureMessage, nrOfTests: results.length };
    },
    dispose: async () => {},
  };
}

function idOf(tests, name) {
  let id = name;
  for (let at = 2; tests.has(id); at++) id = `${name} #${at}`;
  return id;
}

/** In the order of the files; what hooks of a suite do belongs to the test before which they run. */
async function runTests(tests, ids, state, bail) {
  const wanted = new Set(ids);
  const suites = await enteredSuites();
  const results = [];
  for (const [id, test] of tests) {
    if (!wanted.has(id)) continue;
    state.currentTestId = id;
    const began = performance.now();
    const failure = await failureOf(test, suites);
    const result = { id, name: test.name, fileName: test.file, timeSpentMs: performance.now() - began };
    results.push({
      ...result,
      ...(failure === undefined ? { status: 'success' } : { status: 'failed', failureMessage: failure }),
    });
    if (failure !== undefined && bail) break;
  }
  state.currentTestId = undefined;
  await suites.leave(0).catch(() => {});
  return results;
}

/** @returns what went wrong, or undefined. */
async function failureOf(test, suites) {
  let failure;
  const note = (error) => {
    failure ??= String(error?.message ?? error);
  };
  const path = await suites.enter(test.suite).catch(note);
  if (path === undefined) return failure;
  try {
    for (const { beforeEach } of path) await inOrder(beforeEach);
    await test.run();
  } catch (error) {
    note(error);
  }
  for (const { afterEach } of path.toReversed()) await inOrder(afterEach).catch(note);
  return failure;
}

async function inOrder(hooks) {
  for (const hook of hooks) await hook();
}

/** Those whose hooks have run, outermost first. */
async function enteredSuites() {
  const { suitesOf } = await import(STAND_IN);
  const entered = [];
  const leave = async (kept) => {
    while (entered.length > kept) await inOrder(entered.pop().afterAll);
  };
  const enter = async (suite) => {
    const path = suitesOf(suite);
    const same = entered.findIndex((each, at) => each !== path[at]);
    if (same >= 0) await leave(same);
    for (const each of path.slice(entered.length)) {
      entered.push(each);
      await inOrder(each.beforeAll);
    }
    return path;
  };
  return { enter, leave };
}
