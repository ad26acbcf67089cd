/** The maximum send rate and 24-hour quota of one region (SES developer guide, "Managing your Amazon SES sending limits"). */
import { AwsError } from '../aws/service.ts';
import type { ServiceLimits } from '../limits.ts';

export interface SendQuota {
  /** Counts a message's recipients. @throws AwsError when rate or quota is exceeded; nothing is counted then */
  take(recipients: number): void;
  /** `SendQuota` of GetAccount. */
  report(): { Max24HourSend: number; MaxSendRate: number; SentLast24Hours: number };
}

const hourMs = 3_600_000;

/** @param now local clock, Unix milliseconds */
export function createSendQuota(
  limits: Pick<ServiceLimits['ses'], 'sendsPerSecond' | 'sendsPerDay' | 'hoursPerDay'>,
  now: () => number,
): SendQuota {
  const { sendsPerSecond, sendsPerDay } = limits;
  const dayMs = limits.hoursPerDay * hourMs;
  /** Oldest first. */
  const sends: { readonly at: number; readonly recipients: number }[] = [];
  let sentLastDay = 0;
  /** Token bucket: a message may use up the rate of one second, or one send in all where it has more recipients. */
  let tokens = sendsPerSecond;
  let refilledAt = now();

  function refill(): void {
    const at = now();
    tokens = Math.min(sendsPerSecond, tokens + ((at - refilledAt) / 1000) * sendsPerSecond);
    refilledAt = at;
    const expired = sends.findIndex((send) => send.at > at - dayMs);
    const gone = sends.splice(0, expired < 0 ? sends.length : expired);
    for (const { recipients } of gone) sentLastDay -= recipients;
  }

  return {
    take(recipients) {
      refill();
      // The texts of "Errors related to the sending quotas for your Amazon SES account"; both are of one error.
      if (sentLastDay + recipients > sendsPerDay) throw throttled('Daily message quota exceeded.');
      if (tokens < Math.min(recipients, sendsPerSecond)) throw throttled('Maximum sending rate exceeded.');
      tokens -= recipients;
      sentLastDay += recipients;
      sends.push({ at: now(), recipients });
    },
    report() {
      refill();
      return { Max24HourSend: sendsPerDay, MaxSendRate: sendsPerSecond, SentLast24Hours: sentLastDay };
    },
  };
}

function throttled(message: string): AwsError {
  return new AwsError('TooManyRequestsException', message, 429);
}
