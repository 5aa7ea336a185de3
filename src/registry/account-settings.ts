/** What an account decides about its own samples. */
import { z } from 'zod';

export const accountSettingsSchema = z
  .object({
    othersMayAttachData: z
      .boolean('must be true or false')
      .describe('Whether other accounts may attach structured data to samples of this account that they can read.'),
  })
  .describe('What an account decides about its own samples.');

export type AccountSettings = z.infer<typeof accountSettingsSchema>;

/** PORT: which accounts there are. */
export interface KnownAccounts {
  findAccount(name: string): Promise<object | undefined>;
}

/** PORT: kept with the account. */
export interface AccountSettingsStore {
  /** Those of an account that is not there are the first ones: nothing is opened. */
  accountSettings(account: string): Promise<AccountSettings>;
  /** Makes the account when it is new. */
  setAccountSettings(account: string, settings: AccountSettings, now: number): Promise<void>;
}
