/** SES identities: management calls, limited to one a second for each account and region ("Service quotas in Amazon SES"). */
import {
  AlreadyExistsException,
  BadRequestException,
  CreateEmailIdentityCommand,
  DeleteEmailIdentityCommand,
  GetEmailIdentityCommand,
  LimitExceededException,
  NotFoundException,
  PutEmailIdentityDkimSigningAttributesCommand,
  PutEmailIdentityMailFromAttributesCommand,
  SESv2Client,
  TooManyRequestsException,
} from '@aws-sdk/client-sesv2';
import { env } from '../env.ts';
import { clientConfig } from './aws-clients.ts';
import { pause } from './clock.ts';
import { random } from './random.ts';

/** SES throttles management calls. */
export class IdentitiesBusy extends Error {}
/** SES refuses the identity; a retry would be refused, too. The message is SES's. */
export class IdentityRefused extends Error {}

/** A DKIM key: selector, and the private key in PKCS #8 DER, base64. */
export interface SigningKey {
  readonly selector: string;
  readonly privateKey: string;
}

/** SES management calls take longer than calls that send. */
const requestMs = 10_000;
const clients = new Map<string, SESv2Client>();
function clientOf(region: string): SESv2Client {
  const known =
    clients.get(region) ?? new SESv2Client({ region, ...clientConfig({ requestMs, maxAttempts: 1 }) });
  clients.set(region, known);
  return known;
}

const lastCallAt = new Map<string, number>();

/** Another function may call in the same second. */
const triesMax = 5;

/** Keeps `SES_PAUSE_MS` between two calls in a region. @throws IdentitiesBusy when SES throttles, IdentityRefused */
async function paced<T>(region: string, call: (client: SESv2Client) => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    const wait = (lastCallAt.get(region) ?? 0) + env().SES_PAUSE_MS - Date.now();
    if (wait > 0) await pause(wait);
    lastCallAt.set(region, Date.now());
    try {
      return await call(clientOf(region));
    } catch (error) {
      if (error instanceof BadRequestException || error instanceof LimitExceededException) {
        throw new IdentityRefused(error.message, { cause: error });
      }
      if (!(error instanceof TooManyRequestsException)) throw error;
      if (tries === triesMax) throw new IdentitiesBusy(error.message, { cause: error });
      await pause(random() * env().SES_PAUSE_MS);
    }
  }
}

/** Whether SES has verified the identity; null when there is none of that name. */
export async function isIdentityVerified(region: string, name: string): Promise<boolean | null> {
  try {
    const answer = await paced(region, (client) =>
      client.send(new GetEmailIdentityCommand({ EmailIdentity: name })),
    );
    return answer.DkimAttributes?.Status === 'SUCCESS' && answer.VerifiedForSendingStatus === true;
  } catch (error) {
    if (error instanceof NotFoundException) return null;
    throw error;
  }
}

/** Sets the DKIM key of the identity, which is created when missing, and its MAIL FROM domain. */
export async function installKey(
  region: string,
  name: string,
  key: SigningKey,
  returnPath: string,
): Promise<void> {
  const attributes = { DomainSigningSelector: key.selector, DomainSigningPrivateKey: key.privateKey };
  try {
    await paced(region, (client) =>
      client.send(new CreateEmailIdentityCommand({ EmailIdentity: name, DkimSigningAttributes: attributes })),
    );
  } catch (error) {
    if (!(error instanceof AlreadyExistsException)) throw error;
    await paced(region, (client) =>
      client.send(
        new PutEmailIdentityDkimSigningAttributesCommand({
          EmailIdentity: name,
          SigningAttributesOrigin: 'EXTERNAL',
          SigningAttributes: attributes,
        }),
      ),
    );
  }
  await paced(region, (client) =>
    client.send(
      new PutEmailIdentityMailFromAttributesCommand({
        EmailIdentity: name,
        MailFromDomain: returnPath,
        BehaviorOnMxFailure: 'USE_DEFAULT_VALUE',
      }),
    ),
  );
}

/** Deletes the identity; a missing one is not an error. */
export async function deleteIdentityAtSes(region: string, name: string): Promise<void> {
  try {
    await paced(region, (client) => client.send(new DeleteEmailIdentityCommand({ EmailIdentity: name })));
  } catch (error) {
    if (!(error instanceof NotFoundException)) throw error;
  }
}
