/** Filters and values that expressions could part in many ways: they are read in time that grows as they do. */
import { expect, it } from 'vitest';
import { attributeFilter, writtenRange } from '../../../src/registry/search/filter-parts.js';
import { measureOf } from '../../../src/registry/search/sample-facets.js';
import { processorMs } from '../../support/processor-time.js';

const LONG = 60_000;
/** Each took eight seconds and more. */
const BOUND_MS = 2_000;

it.each([
  ['digits of a value that is no number', () => measureOf(`${'1'.repeat(LONG)}x`)],
  ['digits and points', () => measureOf(`${'1.'.repeat(LONG / 2)}x`)],
  ['dots between the ends of a range', () => writtenRange(`from=${'.'.repeat(LONG)}x`)],
  ['dots between those of a range of days', () => writtenRange(`from=${'.'.repeat(LONG)}x`, 'until')],
  ['colons of a name', () => attributeFilter(':'.repeat(LONG), ':'.repeat(LONG))],
])('%s', (_, read) => {
  expect(processorMs(read), 'ms of the processor').toBeLessThan(BOUND_MS);
});

it.each([
  ['from=2024..until=2025', { from: '2024', until: '2025' }],
  ['from=1.5below=2', { from: '1.5', below: '2' }],
  ['..until=3', { until: '3' }],
  ['from=4...', { from: '4' }],
  ['from= 5 ', { from: '5' }],
  ['from=1until=2until=3', { from: '1', until: '2until=3' }],
  ['6until=7', {}],
  ['from=8\n', {}],
  ['', {}],
])('%j is the range %j', (detail, range) => {
  expect(writtenRange(detail)).toEqual(range);
});
