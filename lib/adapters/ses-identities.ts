/** SES identities: the management calls, of which SES takes one a second for the whole account and region. */
import {
  AlreadyExistsException,
  CreateEmailIdentityCommand,
  DeleteEmailIdentityCommand,
  GetEmailIdentityCommand,
  NotFoundException,
  PutEmailIdentityDkimSigningAttributesCommand,
  PutEmailIdentityMailFromAttributesCommand,
  SESv2Client,
  TooManyRequestsException,
} from '@aws-sdk/client-sesv2';
import { env } from '../env.ts';
import { pause } from './clock.ts';

/** SES takes no management call at this time. */
export class IdentitiesBusy extends Error {}

/** A key as SES takes it: selector, and the private key in PKCS #8 DER, base64. */
export interface SigningKey {
  readonly selector: string;
  readonly privateKey: string;
}

const clients = new Map<string, SESv2Client>();
function clientOf(region: string): SESv2Client {
  const known = clients.get(region) ?? new SESv2Client({ region, maxAttempts: 1 });
  clients.set(region, known);
  return known;
}

const lastCallAt = new Map<string, number>();

/** Keeps the region's pace, and turns a throttle into `IdentitiesBusy`. */
async function paced<T>(region: string, call: (client: SESv2Client) => Promise<T>): Promise<T> {
  const wait = (lastCallAt.get(region) ?? 0) + env().SES_PAUSE_MS - Date.now();
  if (wait > 0) await pause(wait);
  lastCallAt.set(region, Date.now());
  try {
    return await call(clientOf(region));
  } catch (error) {
    if (error instanceof TooManyRequestsException) throw new IdentitiesBusy(error.message, { cause: error });
    throw error;
  }
}

/** Whether SES has verified the identity; null where it knows none of that name. */
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

/** Gives the identity this key, making it where there is none, and sets its return path (MAIL FROM). */
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

/** Deletes the identity; one that is gone already is no error. */
export async function deleteIdentityAtSes(region: string, name: string): Promise<void> {
  try {
    await paced(region, (client) => client.send(new DeleteEmailIdentityCommand({ EmailIdentity: name })));
  } catch (error) {
    if (!(error instanceof NotFoundException)) throw error;
  }
}
