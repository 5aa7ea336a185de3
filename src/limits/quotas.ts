import { RegistryError } from '../registry/errors.js';
import { DAY_MS, type Quotas } from './policy.js';
import type { UsageStore } from './usage-store.js';

/** Until when an account that has used up its day should wait before it asks again, seconds. */
const RETRY_AFTER_DAY_S = 3600;
const RETRY_AFTER_WAITING_S = 30;

/**
 * Judges an upload before its first byte is read. `bytes` is its declared length, 0 when there is none.
 * @throws RegistryError rate.limited with `retryAfter` in seconds
 */
export async function checkQuotas(
  store: UsageStore,
  quotas: Quotas,
  upload: { account: string; bytes: number; now: number },
): Promise<void> {
  const { submissionsPerDay, bytesPerDay, waiting } = quotas;
  if (submissionsPerDay === 0 && bytesPerDay === 0 && waiting === 0) return;
  const used = await store.usage(upload.account, upload.now - DAY_MS);
  const refuse = (message: string, retryAfter: number): never => {
    throw new RegistryError('rate.limited', message, { extra: { retryAfter } });
  };
  if (waiting > 0 && used.waiting >= waiting) {
    refuse(
      `This account has ${used.waiting} submissions that wait or run, and may have ${waiting}; wait until some have ended.`,
      RETRY_AFTER_WAITING_S,
    );
  }
  if (submissionsPerDay > 0 && used.submissions >= submissionsPerDay) {
    refuse(
      `This account has sent ${used.submissions} submissions in 24 hours, and may send ${submissionsPerDay}; put more rows into one file, or ask the operators.`,
      RETRY_AFTER_DAY_S,
    );
  }
  if (bytesPerDay > 0 && used.bytes + upload.bytes > bytesPerDay) {
    refuse(
      `This account has sent ${used.bytes} bytes in 24 hours, and may send ${bytesPerDay}; try again later, or ask the operators.`,
      RETRY_AFTER_DAY_S,
    );
  }
}
