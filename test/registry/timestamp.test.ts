import { describe, expect, it } from 'vitest';
import { parseTimestamp } from '../../src/registry/timestamp.js';

describe('a timestamp', () => {
  it('is read without the blanks around it', () => expect(parseTimestamp(' 2024-11-21 ')).toBe(Date.UTC(2024, 10, 21)));

  it('that is none is named with the form that is wanted', () => {
    expect(parseTimestamp('21/11/2024')).toEqual({
      message: '"21/11/2024" is not an ISO 8601 date; write 2024-11-21.',
      suggestion: '2024-11-21',
    });
    expect(parseTimestamp('x'.repeat(101))).toEqual({
      message: `"${'x'.repeat(100)}" is not an ISO 8601 date; write a date such as 2024-11-21 or 2024-11-21T09:30:00Z.`,
    });
  });
});
