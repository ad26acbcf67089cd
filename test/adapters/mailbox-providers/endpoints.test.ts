import { describe, expect, it } from 'vitest';
import { providerEndpoints } from '../../../lib/core/mailboxes/endpoints.ts';
import { settingsOf } from '../../../lib/settings.ts';

describe('the setting local.mailProviders', () => {
  it('takes the base URL of each endpoint by its name', () => {
    const google = { gmail: 'http://127.0.0.1:1/gmail' };
    expect(settingsOf({ local: { mailProviders: { google } } }).local.mailProviders).toEqual({
      google,
      microsoft: {},
    });
  });

  it('refuses an endpoint that is not known', () => {
    const google = { gmial: 'http://127.0.0.1:1' };
    expect(() => settingsOf({ local: { mailProviders: { google: google as object } } })).toThrow(/google/);
  });
});

describe('providerEndpoints', () => {
  it('are https URLs without a final slash', () => {
    const urls = Object.values(providerEndpoints).flatMap((of) => Object.values(of));
    expect(urls.filter((url) => !/^https:\/\/[\w.]+[a-z]$/.test(url))).toEqual([]);
  });
});
