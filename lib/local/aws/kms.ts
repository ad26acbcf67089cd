/** KMS (AWS JSON 1.1): AES-256-GCM under key material derived from the key's ARN. */
import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import * as z from 'zod';
import { jsonBody, jsonError, jsonResponse, parseConstrained, targetOperation } from './json-protocol.ts';
import { type AwsCall, AwsError, type AwsService, localAccount } from './service.ts';

export interface Kms extends AwsService {
  /** Creates a key. Its material is derived from the ARN, so that later runs can decrypt. */
  createKey(arn: string): void;
}

const operations = ['Encrypt', 'Decrypt', 'GenerateDataKey'] as const;
/** "Encrypt" and "Decrypt" in the AWS KMS API Reference. */
const plaintextBytesMax = 4096;
const ciphertextBytesMax = 6144;
const ivBytes = 12;
const tagBytes = 16;

const keyId = z.string().min(1).max(2048);
const blob = (bytesMax: number) =>
  z.base64().transform((text, { addIssue }) => {
    const bytes = Buffer.from(text, 'base64');
    const size = { origin: 'array', inclusive: true, input: bytes } as const;
    if (bytes.length < 1) addIssue({ code: 'too_small', minimum: 1, ...size });
    if (bytes.length > bytesMax) addIssue({ code: 'too_big', maximum: bytesMax, ...size });
    return bytes;
  });
const context = z.record(z.string(), z.string()).default({});
const inputs = {
  Encrypt: z.strictObject({
    KeyId: keyId,
    Plaintext: blob(plaintextBytesMax),
    EncryptionContext: context,
  }),
  Decrypt: z.strictObject({
    KeyId: keyId.optional(),
    CiphertextBlob: blob(ciphertextBytesMax),
    EncryptionContext: context,
  }),
  GenerateDataKey: z.strictObject({
    KeyId: keyId,
    KeySpec: z.literal('AES_256').default('AES_256'),
    EncryptionContext: context,
  }),
};
type Context = z.output<typeof context>;

/** A key id without its ARN ("Key identifiers (KeyId)", AWS KMS Developer Guide). */
const keyIdForm = /^(?:mrk-[0-9a-f]{32}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

/** @param account of keys given by id */
export function createKms({ account = localAccount }: { account?: string } = {}): Kms {
  const keys = new Set<string>();

  /** The ARN of a key given by ARN or id. */
  function arnOf(call: AwsCall, id: string): string {
    const isArn = id.startsWith('arn:');
    if (!isArn && !keyIdForm.test(id)) throw new AwsError('NotFoundException', `Invalid keyId '${id}'`);
    const arn = isArn ? id : `arn:aws:kms:${call.region}:${account}:key/${id}`;
    if (!keys.has(arn)) throw new AwsError('NotFoundException', `Key '${arn}' does not exist`);
    return arn;
  }

  /** The key of a call; Decrypt reads it from the ciphertext. */
  function keyOf(call: AwsCall): string {
    if (targetOperation(call, 'kms', operations) !== 'Decrypt') {
      return arnOf(call, parseConstrained(keyId, jsonBody(call).KeyId, 'keyId'));
    }
    const { CiphertextBlob, KeyId } = parseConstrained(inputs.Decrypt, jsonBody(call));
    const arn = arnOf(call, unpack(CiphertextBlob).arn);
    if (KeyId && arnOf(call, KeyId) !== arn) {
      throw new AwsError(
        'IncorrectKeyException',
        'The key ID in the request does not identify a CMK that can perform this operation.',
      );
    }
    return arn;
  }

  return {
    name: 'kms',
    createKey: (arn) => void keys.add(arn),
    action: (call) => targetOperation(call, 'kms', operations),
    permissions: (call) => [
      {
        action: `kms:${targetOperation(call, 'kms', operations)}`,
        resource: keyOf(call),
        context: contextKeys(jsonBody(call).EncryptionContext),
      },
    ],
    errorResponse: (refusal) => jsonError(refusal, '1.1'),
    async handle(call) {
      const arn = keyOf(call);
      switch (targetOperation(call, 'kms', operations)) {
        case 'Encrypt': {
          const input = parseConstrained(inputs.Encrypt, jsonBody(call));
          const sealed = seal(arn, input.Plaintext, input.EncryptionContext);
          return jsonResponse(
            {
              CiphertextBlob: sealed.toString('base64'),
              KeyId: arn,
              EncryptionAlgorithm: 'SYMMETRIC_DEFAULT',
            },
            '1.1',
          );
        }
        case 'Decrypt': {
          const input = parseConstrained(inputs.Decrypt, jsonBody(call));
          const plaintext = open(input.CiphertextBlob, input.EncryptionContext);
          return jsonResponse(
            { Plaintext: plaintext.toString('base64'), KeyId: arn, EncryptionAlgorithm: 'SYMMETRIC_DEFAULT' },
            '1.1',
          );
        }
        case 'GenerateDataKey': {
          const input = parseConstrained(inputs.GenerateDataKey, jsonBody(call));
          const plaintext = randomBytes(32);
          const CiphertextBlob = seal(arn, plaintext, input.EncryptionContext).toString('base64');
          return jsonResponse({ CiphertextBlob, Plaintext: plaintext.toString('base64'), KeyId: arn }, '1.1');
        }
      }
    },
  };
}

/** `kms:EncryptionContext:<key>` for each pair ("AWS KMS condition keys", AWS KMS Developer Guide). */
function contextKeys(pairs: unknown): Record<string, readonly string[]> {
  return Object.fromEntries(
    Object.entries(Object(pairs)).map(([key, value]) => [`kms:EncryptionContext:${key}`, [String(value)]]),
  );
}

function keyMaterial(arn: string): Buffer {
  return createHash('sha256').update(`parley local kms key ${arn}`).digest();
}

/** The encryption context, sorted: its order does not matter to KMS. */
function additionalData(pairs: Context): Buffer {
  return Buffer.from(JSON.stringify(Object.entries(pairs).sort(([a], [b]) => (a < b ? -1 : 1))));
}

/** Length of the ARN, ARN, IV, tag, ciphertext. */
function seal(arn: string, plaintext: Buffer, pairs: Context): Buffer {
  const iv = randomBytes(ivBytes);
  const cipher = createCipheriv('aes-256-gcm', keyMaterial(arn), iv).setAAD(additionalData(pairs));
  const ciphertext = Buffer.concat([cipher.update(plaintext), cipher.final()]);
  return Buffer.concat([Buffer.from([arn.length]), Buffer.from(arn), iv, cipher.getAuthTag(), ciphertext]);
}

function unpack(sealed: Buffer) {
  const ivAt = 1 + (sealed[0] ?? 0);
  if (sealed.length < ivAt + ivBytes + tagBytes) throw new AwsError('InvalidCiphertextException', '');
  return {
    arn: sealed.toString('utf8', 1, ivAt),
    iv: sealed.subarray(ivAt, ivAt + ivBytes),
    tag: sealed.subarray(ivAt + ivBytes, ivAt + ivBytes + tagBytes),
    ciphertext: sealed.subarray(ivAt + ivBytes + tagBytes),
  };
}

function open(sealed: Buffer, pairs: Context): Buffer {
  const { arn, iv, tag, ciphertext } = unpack(sealed);
  const decipher = createDecipheriv('aes-256-gcm', keyMaterial(arn), iv)
    .setAAD(additionalData(pairs))
    .setAuthTag(tag);
  try {
    return Buffer.concat([decipher.update(ciphertext), decipher.final()]);
  } catch {
    // KMS gives no message.
    throw new AwsError('InvalidCiphertextException', '');
  }
}
