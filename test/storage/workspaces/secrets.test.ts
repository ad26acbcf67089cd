import { createPrivateKey } from 'node:crypto';
import { DecryptCommand, KMSClient } from '@aws-sdk/client-kms';
import { describe, expect, it } from 'vitest';
import { newId } from '../../../lib/adapters/ids.ts';
import { seal, unseal } from '../../../lib/adapters/secrets.ts';
import { type SecretPurpose, secretPurposes } from '../../../lib/core/access/access.ts';
import type { DomainId } from '../../../lib/core/ids.ts';
import { env } from '../../../lib/env.ts';
import { localSecret } from '../../../lib/local/aws/sigv4.ts';
import { createKey } from '../../../lib/services/api-keys/api-keys.ts';
import { authenticate } from '../../../lib/services/api-keys/authenticate.ts';
import { dkimKeyPurpose } from '../../../lib/services/domains/create-domain.ts';
import { openSigningSecret } from '../../../lib/services/workspaces/signing-secrets.ts';
import { findDkimKey } from '../../../lib/storage/domains/domains.ts';
import { apiKeyKey, keyHashKey } from '../../../lib/storage/table/keys.ts';
import { get } from '../../../lib/storage/table/reads.ts';
import { findWorkspaceSecrets } from '../../../lib/storage/workspaces/workspaces.ts';
import { api } from '../../support/api.ts';
import { cloud } from '../../support/cloud.ts';
import { workspace } from '../../support/workspace.ts';

describe('an API key', () => {
  it('is stored as a hash, with only the listed prefix of its plaintext', async () => {
    const ours = await workspace();
    const { key, token } = await createKey(ours.id, { name: 'backend', scope: 'read' });
    const listed = await get(apiKeyKey(ours.id, key.id));
    const found = await get(keyHashKey(String(listed?.hash)));
    expect(found).toMatchObject({ hash: expect.stringMatching(/^[0-9a-f]{64}$/), keyId: key.id });
    const kept = JSON.stringify([listed, found]);
    expect(kept).toContain(token.slice(0, 10));
    expect(kept).not.toContain(token.slice(0, 12));
    expect(kept).not.toContain(token.slice(10));
  });
});

describe('the DKIM key of a domain', () => {
  it('is stored encrypted, and decrypts for its own workspace and purpose only', async () => {
    const ours = await workspace();
    const { body } = await api(ours).post('/domains', { name: `sealed.${ours.slug}.example` });
    const sealed = (await findDkimKey(ours.id, body.id as DomainId))?.sealedPrivateKey ?? '';
    const keyOf = (base64: string) =>
      createPrivateKey({ key: Buffer.from(base64, 'base64'), format: 'der', type: 'pkcs8' });
    expect(() => keyOf(sealed)).toThrow();
    const own = { workspaceId: ours.id, purpose: dkimKeyPurpose } as const;
    expect(keyOf(await unseal(sealed, own)).asymmetricKeyType).toBe('rsa');
    const theirs = await workspace();
    for (const other of [{ workspaceId: theirs.id }, { purpose: 'webhook-secret' as const }]) {
      await expect(unseal(sealed, { ...own, ...other })).rejects.toMatchObject({
        name: 'InvalidCiphertextException',
      });
    }
  });
});

describe('the secrets that sign links and cursors', () => {
  it('are stored encrypted, each for its own workspace and purpose only', async () => {
    const ours = await workspace();
    const stored = await findWorkspaceSecrets(ours.id);
    const { linkSecret = '', cursorSecret = '' } = stored ?? {};
    const opened = await openSigningSecret(ours.id, 'link-secret', linkSecret);
    expect(opened).toMatch(/^[\w-]{43}$/);
    expect(linkSecret).not.toContain(opened);
    expect(await openSigningSecret(ours.id, 'cursor-secret', cursorSecret)).not.toBe(opened);
    const refused = { name: 'InvalidCiphertextException' };
    await expect(openSigningSecret(ours.id, 'cursor-secret', linkSecret)).rejects.toMatchObject(refused);
    const theirs = await workspace();
    await expect(openSigningSecret(theirs.id, 'link-secret', linkSecret)).rejects.toMatchObject(refused);
  });

  it('are copied to the items of API keys as sealed', async () => {
    const ours = await workspace();
    const stored = await findWorkspaceSecrets(ours.id);
    expect((await authenticate(ours.key, '192.0.2.1'))?.caller.cursorSecret).toBe(stored?.cursorSecret);
  });
});

describe('the role of a function', () => {
  /** A KMS client that signs as a thread of this function. */
  const as = (functionName: string) => {
    const accessKeyId = `${functionName}~99`;
    const credentials = { accessKeyId, secretAccessKey: localSecret(accessKeyId) };
    return new KMSClient({
      region: env().HOME_REGION,
      endpoint: cloud().gatewayUrl,
      maxAttempts: 1,
      credentials,
    });
  };
  /** Functions with the purposes of the secrets that they open. */
  const readers: Readonly<Record<string, readonly SecretPurpose[]>> = {
    'parley-worker-deliver-webhook': ['webhook-secret'],
    'parley-worker-sync-identity': ['dkim-key'],
    'parley-api-track-click': ['link-secret'],
    'parley-api-emails-list': ['cursor-secret'],
    'parley-worker-run-task': ['mailbox-token', 'oauth-app-secret'],
  };

  it('is tried for secrets of every purpose', () => {
    expect(Object.values(readers).flat().sort()).toEqual([...secretPurposes].sort());
  });

  it.each(Object.entries(readers))(
    'opens its own secrets and none of another purpose: %s',
    async (functionName, own) => {
      const workspaceId = newId('wks');
      const client = as(functionName);
      for (const purpose of secretPurposes) {
        const sealed = await seal('secret', { workspaceId, purpose });
        const opening = client.send(
          new DecryptCommand({
            CiphertextBlob: Buffer.from(sealed, 'base64'),
            EncryptionContext: { workspaceId, purpose },
          }),
        );
        if (own.includes(purpose))
          await expect(opening).resolves.toMatchObject({ Plaintext: expect.anything() });
        else await expect(opening).rejects.toMatchObject({ name: 'AccessDeniedException' });
      }
    },
  );
});
