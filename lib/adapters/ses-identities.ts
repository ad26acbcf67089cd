/** SES identities. */
import {
  AlreadyExistsException,
  CreateEmailIdentityCommand,
  DeleteEmailIdentityCommand,
  GetEmailIdentityCommand,
  NotFoundException,
  PutEmailIdentityDkimSigningAttributesCommand,
  PutEmailIdentityMailFromAttributesCommand,
} from '@aws-sdk/client-sesv2';
import { paced } from './ses-management.ts';

/** A DKIM key: selector, and the private key in PKCS #8 DER, base64. */
export interface SigningKey {
  readonly selector: string;
  readonly privateKey: string;
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
