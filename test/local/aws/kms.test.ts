import { DecryptCommand, EncryptCommand, GenerateDataKeyCommand, KMSClient } from '@aws-sdk/client-kms';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createKms } from '../../../lib/local/aws/kms.ts';
import { localAws } from './local-aws.ts';

const KeyId = 'arn:aws:kms:eu-central-1:111111111111:key/secrets';
const Plaintext = Buffer.from('whsec_abc');

async function start() {
  const asked: unknown[] = [];
  const aws = await localAws(
    () => {
      const kms = createKms();
      kms.createKey(KeyId);
      return [kms];
    },
    (_role, needed) => asked.push(needed) > 0,
  );
  const client = new KMSClient(aws.as('sealer'));
  onTestFinished(() => client.destroy());
  const seal = async (EncryptionContext: Record<string, string>) => {
    const { CiphertextBlob } = await client.send(new EncryptCommand({ KeyId, Plaintext, EncryptionContext }));
    return CiphertextBlob;
  };
  return { client, seal, asked };
}

describe('KMS', () => {
  it('decrypts with the same encryption context in any order, and not without permission', async () => {
    const { client, seal, asked } = await start();
    const CiphertextBlob = await seal({ workspace: 'a', purpose: 'b' });
    const answer = await client.send(
      new DecryptCommand({ CiphertextBlob, EncryptionContext: { purpose: 'b', workspace: 'a' } }),
    );
    expect(Buffer.from(answer.Plaintext ?? []).toString()).toBe('whsec_abc');
    expect(answer.KeyId).toBe(KeyId);
    const context = { 'kms:EncryptionContext:workspace': ['a'], 'kms:EncryptionContext:purpose': ['b'] };
    expect(asked).toEqual([
      { action: 'kms:Encrypt', resource: KeyId, context },
      { action: 'kms:Decrypt', resource: KeyId, context },
    ]);
  });

  it('does not decrypt with another encryption context', async () => {
    const { client, seal } = await start();
    const CiphertextBlob = await seal({ workspace: 'a' });
    for (const EncryptionContext of [{ workspace: 'b' }, undefined]) {
      await expect(
        client.send(new DecryptCommand({ CiphertextBlob, EncryptionContext })),
      ).rejects.toMatchObject({
        name: 'InvalidCiphertextException',
      });
    }
  });

  it('does not decrypt altered or invalid ciphertext', async () => {
    const { client, seal } = await start();
    const altered = Buffer.from((await seal({})) ?? []);
    altered.writeUInt8(altered.readUInt8(altered.length - 1) ^ 1, altered.length - 1);
    for (const CiphertextBlob of [altered, Buffer.from('x')]) {
      await expect(client.send(new DecryptCommand({ CiphertextBlob }))).rejects.toMatchObject({
        name: 'InvalidCiphertextException',
      });
    }
  });

  it('generates data keys that it can decrypt', async () => {
    const { client } = await start();
    const made = await client.send(new GenerateDataKeyCommand({ KeyId, KeySpec: 'AES_256' }));
    const opened = await client.send(new DecryptCommand({ CiphertextBlob: made.CiphertextBlob }));
    expect(made.Plaintext).toHaveLength(32);
    expect(opened.Plaintext).toEqual(made.Plaintext);
  });

  it('refuses in the words of AWS', async () => {
    const { client, seal } = await start();
    const CiphertextBlob = (await seal({})) ?? new Uint8Array();
    const id = '1234abcd-12ab-34cd-56ef-1234567890ab';
    const at = (member: string, constraint: string) =>
      `1 validation error detected: Value at '${member}' failed to satisfy constraint: Member must have length ${constraint}`;
    const encrypt = (input: object) => client.send(new EncryptCommand({ KeyId, Plaintext, ...input }));
    const decrypt = (input: object) => client.send(new DecryptCommand({ CiphertextBlob, ...input }));
    for (const [call, name, message] of [
      [encrypt({ KeyId: 'other' }), 'NotFoundException', "Invalid keyId 'other'"],
      [
        encrypt({ KeyId: id }),
        'NotFoundException',
        `Key 'arn:aws:kms:eu-central-1:111111111111:key/${id}' does not exist`,
      ],
      [
        encrypt({ Plaintext: Buffer.alloc(4097) }),
        'ValidationException',
        at('plaintext', 'less than or equal to 4096'),
      ],
      [
        encrypt({ Plaintext: Buffer.alloc(0) }),
        'ValidationException',
        at('plaintext', 'greater than or equal to 1'),
      ],
      [
        decrypt({ CiphertextBlob: Buffer.alloc(6145) }),
        'ValidationException',
        at('ciphertextBlob', 'less than or equal to 6144'),
      ],
    ] as const) {
      await expect(call).rejects.toMatchObject({ name, message, $metadata: { httpStatusCode: 400 } });
    }
    await encrypt({ Plaintext: Buffer.alloc(4096) });
  });
});
