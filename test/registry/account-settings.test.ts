import { expect, it } from 'vitest';
import { accountSettingsSchema } from '../../src/registry/account-settings.js';

it('the setting of an account is true or false', () => {
  expect(accountSettingsSchema.parse({ othersMayAttachData: true })).toEqual({ othersMayAttachData: true });
  expect(accountSettingsSchema.safeParse({ othersMayAttachData: 'yes' }).error?.issues[0]?.message).toBe(
    'must be true or false',
  );
});
