import { DAY_MS } from '../registry/date-time.js';
import { RegistryError } from '../registry/errors.js';
import type { Quotas } from './policy.js';
import type { Sent, UsageStore } from './usage-store.js';

/** Until when an account that has used up its day should wait before it asks again, seconds. */
const RETRY_AFTER_DAY_S = 3600;
const RETRY_AFTER_WAITING_S = 30;

/** An upload that has been let in. */
export interface Admission {
  /** Counts bytes as they arrive. @throws RegistryError rate.limited */
  count(bytes: number): void;
  /** The upload is over: the store counts it from now on, or it came to nothing. */
  end(): void;
}

interface UnderWay {
  uploads: number;
  bytes: number;
}

/**
 * Quotas of uploads, whatever way they come: everything that becomes a submission passes `admit`. What is under way in
 * this process counts too, so that many at once are no way around.
 */
export class UploadQuotas {
  /** One entry for each account that is uploading at this moment. */
  private readonly underWay = new Map<string, UnderWay>();
  /** Informed of each refusal. */
  onRefused: () => void = () => undefined;

  constructor(
    private readonly store: UsageStore,
    private readonly quotas: Quotas,
    private readonly now: () => number = Date.now,
  ) {}

  /**
   * `declared`: bytes that are said to come, 0 when nothing is said. `elsewhere`: bytes of the account that are promised
   * to resumable uploads.
   * @throws RegistryError rate.limited with `retryAfter` in seconds
   */
  async check(account: string, declared: number, elsewhere = 0): Promise<{ left: number }> {
    return this.require(account, await this.stored(account), { declared, elsewhere });
  }

  /** What the store says, as far as it is limited: it looks at each submission of the day. */
  private async stored(account: string): Promise<Sent & { waiting: number }> {
    const { submissionsPerDay, bytesPerDay, waiting } = this.quotas;
    const isDayLimited = submissionsPerDay > 0 || bytesPerDay > 0;
    const sent = isDayLimited ? await this.store.sentSince(account, this.now() - DAY_MS) : { submissions: 0, bytes: 0 };
    return { ...sent, waiting: waiting > 0 ? await this.store.countWaiting(account) : 0 };
  }

  /** @throws RegistryError rate.limited */
  private require(
    account: string,
    stored: Sent & { waiting: number },
    { declared, elsewhere }: { declared: number; elsewhere: number },
  ): { left: number } {
    const { submissionsPerDay, bytesPerDay, waiting } = this.quotas;
    const here = this.underWay.get(account) ?? { uploads: 0, bytes: 0 };
    if (waiting > 0 && stored.waiting + here.uploads >= waiting) {
      this.refuse(
        `This account has ${stored.waiting + here.uploads} submissions that wait or run, and may have ${waiting}; wait until some have ended.`,
        RETRY_AFTER_WAITING_S,
      );
    }
    if (submissionsPerDay > 0 && stored.submissions + here.uploads >= submissionsPerDay) {
      this.refuse(
        `This account has sent ${stored.submissions + here.uploads} submissions in 24 hours, and may send ${submissionsPerDay}; put more rows into one file, or ask the operators.`,
        RETRY_AFTER_DAY_S,
      );
    }
    if (bytesPerDay === 0) return { left: Number.POSITIVE_INFINITY };
    const left = bytesPerDay - stored.bytes;
    if (here.bytes + elsewhere + declared > left) this.refuseBytes(elsewhere);
    return { left };
  }

  /** As `check`, and counts from then on. */
  async admit(account: string, declared: number): Promise<Admission> {
    const stored = await this.stored(account);
    // Nothing is waited for between the look and the count: of uploads that begin at once, each sees those before it.
    const { left } = this.require(account, stored, { declared, elsewhere: 0 });
    const mine = this.underWay.get(account) ?? { uploads: 0, bytes: 0 };
    this.underWay.set(account, mine);
    mine.uploads += 1;
    let counted = 0;
    return {
      count: (bytes) => {
        counted += bytes;
        mine.bytes += bytes;
        if (mine.bytes > left) this.refuseBytes();
      },
      end: () => {
        mine.bytes -= counted;
        mine.uploads -= 1;
        if (mine.uploads === 0) this.underWay.delete(account);
      },
    };
  }

  private refuseBytes(elsewhere = 0): never {
    const kept =
      elsewhere === 0
        ? ''
        : ` Resumable uploads of the account that have not ended keep ${elsewhere} of them: finish or delete those, or wait until they end by themselves.`;
    return this.refuse(
      `This account may send ${this.quotas.bytesPerDay} bytes in 24 hours, and this is more than what is left of them; try again later, or ask the operators.${kept}`,
      RETRY_AFTER_DAY_S,
    );
  }

  private refuse(message: string, retryAfter: number): never {
    this.onRefused();
    throw new RegistryError('rate.limited', message, { extra: { retryAfter } });
  }
}
