/** Names and values that expressions could part in many ways: each is looked at in no time, whatever becomes of it. */
import { expect, it } from 'vitest';
import { processorMsOf } from '../support/processor-time.js';
import { saidOf } from './sensed.js';

const PARTS = [
  '_a',
  '.a',
  'a_',
  'a.',
  ' a',
  'a ',
  '- ',
  '(a',
  'a)',
  ': ',
  '= ',
  '1 ',
  '1.',
  '1,',
  '°1',
  'N 1',
  '/1',
  'total ',
  'page ',
  'x of ',
];
const ENDS = ['!', '\u00e9', '', ' 1x', '(b)'];

/** Seconds, days or longer where an expression tries all ways; some milliseconds else. */
const BOUND_MS = 3_000;

it.each([56, 480])('of %i letters', async (letters) => {
  for (const part of PARTS) {
    const texts = ENDS.map((end) => `ab${part.repeat(Math.ceil(letters / part.length)).slice(0, letters)}${end}`);
    const rows = texts.map((text) => [text, text, text, text].join('|'));
    const others = ['S1|Mus|1|2', 'S2|Rattus|3|4', 'S3|Homo|5|6'];
    const taken = await processorMsOf(() =>
      saidOf(['Sample Name|organism|coordinates|collection date', ...rows, ...others]),
    );
    expect(taken, `ms of the processor for ${JSON.stringify(part)}`).toBeLessThan(BOUND_MS);
  }
});
