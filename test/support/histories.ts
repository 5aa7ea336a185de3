/** Beside every file of tests: the calls of its clients are logged, and explained at its end. */
import { afterAll, beforeAll, expect } from 'vitest';
import { beginLog, endLog } from './call-log.js';
import { checkCalls } from './check-calls.js';

beforeAll(beginLog);
afterAll(() => expect(checkCalls(endLog()), 'what clients were answered, explained by an order of steps').toEqual([]));
