import { describe, it } from 'vitest';
import { bringsInMail, sendsMail } from './mail-of-provider.ts';

describe('a mailbox of microsoft', () => {
  it('brings in new mail once, and mail that its owner sends as outbound mail of the thread', () =>
    bringsInMail('microsoft'));

  it('sends an email, which is linked to the copy in its sent mail, and continues its conversation', () =>
    sendsMail('microsoft'));
});
