import { afterEach, describe, expect, it, vi } from 'vitest';
import { readSecret } from '../../lib/adapters/secrets-manager.ts';
import { createSecretsManager } from '../../lib/local/aws/secrets-manager.ts';
import { localAdmin } from '../../lib/local/aws/service.ts';
import { localSecret } from '../../lib/local/aws/sigv4.ts';
import { localAws } from '../local/aws/local-aws.ts';

const arn = 'arn:aws:secretsmanager:eu-central-1:111111111111:secret:google-app-AbCdEf';
const text = '{"client_id":"a","client_secret":"GOCSPX-of-the-deployment"}';

/** Secrets Manager with one secret, for a caller. */
async function start(principal: string) {
  const asked: unknown[] = [];
  const aws = await localAws(
    () => [createSecretsManager(new Map([[arn, text]]))],
    (_role, needed) => asked.push(needed) > 0 && principal === 'reader',
  );
  vi.stubEnv('AWS_ENDPOINT_URL', aws.gateway.url);
  vi.stubEnv('AWS_ACCESS_KEY_ID', principal);
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', localSecret(principal));
  return { ...aws, asked };
}

describe('readSecret', () => {
  afterEach(() => void vi.unstubAllEnvs());

  it('returns the text of a secret to a role that may read it', async () => {
    const { asked } = await start('reader');
    expect(await readSecret(arn)).toBe(text);
    expect(asked).toMatchObject([{ action: 'secretsmanager:GetSecretValue', resource: arn }]);
  });

  it('fails without a second attempt when the role may not read it, or there is none', async () => {
    const { asked } = await start('stranger');
    await expect(readSecret(arn)).rejects.toThrow(/answered 400 \(.*AccessDenied/);
    expect(asked).toHaveLength(1);
    await start(localAdmin);
    await expect(readSecret(`${arn}x`)).rejects.toThrow(/ResourceNotFoundException/);
  });

  it('tries again when the service fails, three times in all', async () => {
    const { faults } = await start(localAdmin);
    const failure = { kind: 'error', service: 'secretsmanager', action: '*', status: 500 } as const;
    faults.add({ ...failure, times: 2 });
    expect(await readSecret(arn)).toBe(text);
    faults.add({ ...failure, times: 3 });
    const error: unknown = await readSecret(arn).catch((reason: unknown) => reason);
    expect(String(error)).toContain('answered 500');
    expect(String(error)).not.toContain('GOCSPX');
  });
});
