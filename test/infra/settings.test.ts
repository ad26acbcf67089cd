import { describe, expect, it } from 'vitest';
import { SettingsRefused, settingsFromContext, settingsOf } from '../../lib/stacks/settings.ts';

const fromContext = (context: Record<string, unknown>) => settingsFromContext((name) => context[name]);

describe('settings', () => {
  it('have the defaults of the contract', () => {
    expect(settingsOf({})).toEqual({
      prefix: 'Parley',
      account: '',
      brand: 'Parley',
      apiBaseUrl: '',
      docsUrl: '',
      providedDomain: '',
      mailRegions: ['us-east-1', 'eu-central-1'],
      defaultRegion: 'us-east-1',
      homeRegion: 'us-east-1',
      supportEmail: '',
      alarmEmail: '',
      local: { allowInsecureWebhooks: false, dnsServers: [] },
    });
  });

  it('follow from one another where they are not given', () => {
    const settings = fromContext({
      mailRegions: 'eu-central-1, us-east-1',
      providedDomain: 'mail.example.com',
    });
    expect(settings).toMatchObject({
      mailRegions: ['eu-central-1', 'us-east-1'],
      defaultRegion: 'eu-central-1',
      homeRegion: 'eu-central-1',
      supportEmail: 'no-reply@mail.example.com',
    });
  });

  it('of the local cloud cannot be set from the command line', () => {
    const settings = fromContext({ local: { allowInsecureWebhooks: true }, allowInsecureWebhooks: 'on' });
    expect(settings.local.allowInsecureWebhooks).toBe(false);
  });

  it.each([
    [{ mailRegions: 'nowhere' }, /mailRegions\.0: is no AWS region/],
    [{ mailRegions: 'us-east-1,us-east-1' }, /mailRegions: names a region twice/],
    [{ defaultRegion: 'ap-south-1' }, /defaultRegion: is none of mailRegions/],
    [{ providedDomain: 'Mail.Example' }, /providedDomain: is no domain name/],
    [{ apiBaseUrl: 'api.example.com' }, /apiBaseUrl: is no URL/],
    [{ supportEmail: 'nobody' }, /supportEmail: is no email address/],
    [{ brand: 'Müller' }, /brand: takes a letter/],
    [{ account: '12' }, /account: is no account id/],
  ])('that cannot be deployed are refused by name: %j', (context, message) => {
    expect(() => fromContext(context)).toThrow(SettingsRefused);
    expect(() => fromContext(context)).toThrow(message);
  });
});
