/** Secrets at rest: sealed under the deployment's KMS key, bound to what they belong to. */
import { DecryptCommand, EncryptCommand, KMSClient } from '@aws-sdk/client-kms';
import { env } from '../env.ts';

let shared: KMSClient | undefined;
const client = (): KMSClient => {
  shared ??= new KMSClient({});
  return shared;
};

/** What a sealed secret belongs to; opening it with another context fails (KMS encryption context). */
export interface SecretContext {
  readonly workspaceId: string;
  /** E.g. `webhook-secret`, `dkim-key`. */
  readonly purpose: string;
}

/** Seals up to 4 KB; the result is base64. */
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

/** The plaintext of a sealed secret. */
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
