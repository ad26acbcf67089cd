/** The sending limits of the account, as SES reports them for a region. */
import * as z from 'zod';
import type { SendingLimits } from '../core/send-limiter.ts';
import { serviceCaller } from './aws-http.ts';

type Caller = ReturnType<typeof serviceCaller>;
const callers = new Map<string, Caller>();
function callerOf(region: string): Caller {
  const known = callers.get(region) ?? serviceCaller({ name: 'ses', region, options: { maxAttempts: 2 } });
  callers.set(region, known);
  return known;
}

/** SES reports -1 for an account without a 24-hour quota ("SendQuota", Amazon SES API v2 Reference). */
const unlimited = -1;

const account = z.object({
  SendQuota: z
    .object({ MaxSendRate: z.number(), Max24HourSend: z.number(), SentLast24Hours: z.number() })
    .partial()
    .optional(),
});

/** @throws Error where SES does not answer, or answers without the limits */
export async function readSendingLimits(region: string): Promise<SendingLimits> {
  const { SendQuota: quota } = account.parse(
    await callerOf(region)({ method: 'GET', path: '/v2/email/account' }),
  );
  const { MaxSendRate: ratePerSecond, Max24HourSend: max, SentLast24Hours: sent } = quota ?? {};
  if (!ratePerSecond || max === undefined || sent === undefined) {
    throw new Error(`SES reports no sending limits in ${region}`);
  }
  return { ratePerSecond, quota: max === unlimited ? null : max, sent };
}
