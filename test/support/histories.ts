/** Beside every file of tests that ends or starves real processes: the calls of its clients are logged, and explained at its end. */
import { afterAll, beforeAll, expect } from 'vitest';
import { beginLog, endLog } from './call-log.js';
import { checkCalls } from './check-calls.js';

const LOGGED = /[\\/]test[\\/](faults|many-machines)[\\/]/;

beforeAll(() => {
  if (LOGGED.test(expect.getState().testPath ?? '')) beginLog();
});

afterAll(() => expect(checkCalls(endLog()), 'what clients were answered, explained by an order of steps').toEqual([]));
