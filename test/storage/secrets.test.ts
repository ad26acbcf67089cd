import { createPrivateKey } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { unseal } from '../../lib/adapters/secrets.ts';
import type { DomainId } from '../../lib/core/ids.ts';
import { createKey } from '../../lib/services/api-keys/api-keys.ts';
import { dkimKeyPurpose } from '../../lib/services/domains/create-domain.ts';
import { findDkimKey } from '../../lib/storage/domains.ts';
import { apiKeyKey, keyHashKey } from '../../lib/storage/keys.ts';
import { get } from '../../lib/storage/table.ts';
import { api } from '../support/api.ts';
import { workspace } from '../support/workspace.ts';

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
