/** Encrypts secrets under the KMS key of the deployment, bound to their workspace and purpose. */
import { DecryptCommand, EncryptCommand, KMSClient } from '@aws-sdk/client-kms';
import type { SecretPurpose } from '../core/access/access.ts';
import { env } from '../env.ts';
import { clientConfig } from './aws-clients.ts';

let shared: KMSClient | undefined;
const client = (): KMSClient => {
  shared ??= new KMSClient(clientConfig());
  return shared;
};

/** The KMS encryption context; decryption with another context fails ("Encryption context", AWS KMS Developer Guide). */
export interface SecretContext {
  readonly workspaceId: string;
  /** Roles may decrypt some purposes only (`lib/constructs/grants.ts`). */
  readonly purpose: SecretPurpose;
}

/** Encrypts up to 4 KB of text; the result is base64. */
export async function seal(plaintext: string, context: SecretContext): Promise<string> {
  const answer = await client().send(
    new EncryptCommand({
      KeyId: env().SECRETS_KEY_ARN,
      Plaintext: Buffer.from(plaintext),
      EncryptionContext: { ...context },
    }),
  );
  return Buffer.from(answer.CiphertextBlob ?? []).toString('base64');
}

/** Decrypts what `seal` returned. @throws where the context differs */
export async function unseal(sealed: string, context: SecretContext): Promise<string> {
  const answer = await client().send(
    new DecryptCommand({
      KeyId: env().SECRETS_KEY_ARN,
      CiphertextBlob: Buffer.from(sealed, 'base64'),
      EncryptionContext: { ...context },
    }),
  );
  return Buffer.from(answer.Plaintext ?? []).toString();
}
