import { describe, expect, it } from 'vitest';
import { RegistryError } from '../../src/registry/errors.js';
import { receivedError, sentError } from '../../src/registry/sent-error.js';

it('an error of ours says what it came from', () => {
  const cause = new Error('the disk is full');
  expect(new RegistryError('conflict', 'm', { cause }).cause).toBe(cause);
  expect(new RegistryError('conflict', 'm')).not.toHaveProperty('cause');
});

describe('an error that goes to another thread', () => {
  const across = (error: unknown) => receivedError(structuredClone(sentError(error)));
  it('of ours comes back as it was', () => {
    for (const detail of [{}, { extra: { line: 3 } }]) {
      const error = new RegistryError('file.not-understood', 'm', detail);
      expect(across(error)).toBeInstanceOf(RegistryError);
      expect(across(error)).toMatchObject({ code: error.code, message: 'm', detail });
    }
    expect((across(new RegistryError('conflict', 'm')) as RegistryError).detail).toEqual({});
  });

  it('of the system keeps its code and where it was thrown', () => {
    const error = Object.assign(new Error('no room'), { code: 'ENOSPC' });
    const received = across(error) as NodeJS.ErrnoException;
    expect(received).not.toBeInstanceOf(RegistryError);
    expect([received.message, received.code, received.stack]).toEqual(['no room', 'ENOSPC', error.stack]);
    expect(across(new Error('m'))).not.toHaveProperty('code');
    const bare = Object.assign(new Error('m'), { stack: undefined });
    expect(sentError(bare)).toEqual({ message: 'm' });
  });
});
