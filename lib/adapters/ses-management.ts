/** SES management calls, limited to one a second for each account and region ("Service quotas in Amazon SES"). */
import {
  BadRequestException,
  LimitExceededException,
  type SESv2Client,
  TooManyRequestsException,
} from '@aws-sdk/client-sesv2';
import { env } from '../env.ts';
import { pause } from './clock.ts';
import { random } from './random.ts';
import { sesClients } from './ses-clients.ts';

/** SES throttles management calls. */
export class ManagementBusy extends Error {}
/** SES refuses the call; a retry would be refused, too. The message is SES's. */
export class ManagementRefused extends Error {}

/** SES management calls take longer than calls that send. */
const requestMs = 10_000;
const clientOf = sesClients({ requestMs, maxAttempts: 1 });

const lastCallAt = new Map<string, number>();

/** Another function may call in the same second. */
const triesMax = 5;

/** Keeps `SES_PAUSE_MS` between two calls in a region. @throws ManagementBusy when SES throttles, ManagementRefused */
export async function paced<T>(region: string, call: (client: SESv2Client) => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    const wait = (lastCallAt.get(region) ?? 0) + env().SES_PAUSE_MS - Date.now();
    if (wait > 0) await pause(wait);
    lastCallAt.set(region, Date.now());
    try {
      return await call(clientOf(region));
    } catch (error) {
      if (error instanceof BadRequestException || error instanceof LimitExceededException) {
        throw new ManagementRefused(error.message, { cause: error });
      }
      if (!(error instanceof TooManyRequestsException)) throw error;
      if (tries === triesMax) throw new ManagementBusy(error.message, { cause: error });
      await pause(random() * env().SES_PAUSE_MS);
    }
  }
}
