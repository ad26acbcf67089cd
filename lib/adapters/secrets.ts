/** Encrypts secrets under the KMS key of the deployment, bound to their workspace and purpose. */
import * as z from 'zod';
import type { SecretPurpose } from '../core/access.ts';
import { env } from '../env.ts';
import { jsonCaller } from './aws-json.ts';

const call = jsonCaller({ name: 'kms', prefix: 'TrentService', version: '1.1' });

/** The KMS encryption context; decryption with another context fails ("Encryption context", AWS KMS Developer Guide). */
export interface SecretContext {
  readonly workspaceId: string;
  /** Roles may decrypt some purposes only (`lib/constructs/grants.ts`). */
  readonly purpose: SecretPurpose;
}

const encrypted = z.object({ CiphertextBlob: z.string() });
const decrypted = z.object({ Plaintext: z.string() });

/** Encrypts up to 4 KB of text; the result is base64. */
export async function seal(plaintext: string, context: SecretContext): Promise<string> {
  const input = {
    KeyId: env().SECRETS_KEY_ARN,
    Plaintext: Buffer.from(plaintext).toString('base64'),
    EncryptionContext: context,
  };
  return encrypted.parse(await call('Encrypt', input)).CiphertextBlob;
}

/** Decrypts what `seal` returned. @throws where the context differs */
export async function unseal(sealed: string, context: SecretContext): Promise<string> {
  const input = { KeyId: env().SECRETS_KEY_ARN, CiphertextBlob: sealed, EncryptionContext: context };
  return Buffer.from(decrypted.parse(await call('Decrypt', input)).Plaintext, 'base64').toString();
}
