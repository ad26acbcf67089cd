/** The sending limits of the account, as SES reports them for a region. */
import { GetAccountCommand } from '@aws-sdk/client-sesv2';
import type { SendingLimits } from '../core/sending/send-limiter.ts';
import { sesClients } from './ses-clients.ts';

const clientOf = sesClients({ maxAttempts: 2 });

/** SES reports -1 for an account without a 24-hour quota ("SendQuota", Amazon SES API v2 Reference). */
const unlimited = -1;

/** @throws Error where SES does not answer, or answers without the limits */
export async function readSendingLimits(region: string): Promise<SendingLimits> {
  const { SendQuota: quota } = await clientOf(region).send(new GetAccountCommand({}));
  const { MaxSendRate: ratePerSecond, Max24HourSend: max, SentLast24Hours: sent } = quota ?? {};
  if (!ratePerSecond || max === undefined || sent === undefined) {
    throw new Error(`SES reports no sending limits in ${region}`);
  }
  return { ratePerSecond, quota: max === unlimited ? null : max, sent };
}
