import { describe, expect, it } from 'vitest';
import {
  addressOfGooglePush,
  microsoftNotifications,
  pushBytesMax,
} from '../../../lib/core/mailboxes/push.ts';

const google = (data: unknown) =>
  JSON.stringify({
    message: { data: Buffer.from(JSON.stringify(data)).toString('base64'), messageId: '1' },
    subscription: 'projects/p/subscriptions/s',
  });

describe('addressOfGooglePush', () => {
  it('reads the address in lower case', () => {
    expect(addressOfGooglePush(google({ emailAddress: 'Anna@Acme.test', historyId: '9' }))).toBe(
      'anna@acme.test',
    );
  });

  it.each([
    ['no JSON', 'x'],
    ['no message', '{}'],
    ['data that is no base64', '{"message":{"data":"%%%"}}'],
    ['data that is no JSON', '{"message":{"data":"eHh4"}}'],
    ['no address', google({ historyId: '9' })],
    ['an address that is no text', google({ emailAddress: 7 })],
    ['more bytes than allowed', google({ emailAddress: 'a@b.test', filler: 'x'.repeat(pushBytesMax) })],
  ])('returns null for a body with %s', (_, body) => {
    expect(addressOfGooglePush(body)).toBeNull();
  });
});

describe('microsoftNotifications', () => {
  it('reads change and lifecycle notifications', () => {
    const value = [
      { clientState: 's', subscriptionId: '1', changeType: 'created', resource: 'x' },
      { clientState: 's', subscriptionId: '1', lifecycleEvent: 'missed' },
      { clientState: 's', subscriptionId: '1', lifecycleEvent: 'subscriptionRemoved' },
      { subscriptionId: '1', lifecycleEvent: 'reauthorizationRequired' },
    ];
    expect(microsoftNotifications(JSON.stringify({ value }))).toEqual([
      { clientState: 's', isAboutSubscription: false },
      { clientState: 's', isAboutSubscription: false },
      { clientState: 's', isAboutSubscription: true },
      { clientState: null, isAboutSubscription: true },
    ]);
  });

  it.each(['x', '{}', '{"value":7}', '{"value":[7]}', `{"value":[],"x":"${'y'.repeat(pushBytesMax)}"}`])(
    'returns none for another body',
    (body) => {
      expect(microsoftNotifications(body)).toEqual([]);
    },
  );
});
