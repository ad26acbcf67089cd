import { describe, expect, it } from 'vitest';
import { settingsOf } from '../../lib/settings.ts';
import { account, templates, templatesOf } from './templates.ts';

const googleAppSecretArn = `arn:aws:secretsmanager:us-east-1:${account}:secret:google-app-AbCdEf`;
const action = 'secretsmanager:GetSecretValue';

describe('the secrets of shared OAuth apps', () => {
  it('are read by the functions that call mail providers, each secret that is set and no other', () => {
    const { resources } = templatesOf(settingsOf({ account, googleAppSecretArn }));
    const roles = resources.filter(({ properties }) => JSON.stringify(properties ?? {}).includes(action));
    expect(roles.length).toBeGreaterThan(2);
    for (const { properties } of roles) {
      const text = JSON.stringify(properties);
      expect(text).toContain(googleAppSecretArn);
      expect(text).not.toMatch(/GetSecretValue"[^}]*"\*"/);
    }
  });

  it('are read by nobody by default', () => {
    const all = templates().resources.map(({ properties }) => JSON.stringify(properties ?? {}));
    expect(all.filter((text) => text.includes(action))).toEqual([]);
  });
});
