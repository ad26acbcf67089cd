import { describe, it } from 'vitest';
import { bringsInMail, sendsMail } from './mail-of-provider.ts';

describe('a mailbox of google', () => {
  it('brings in new mail once, and mail that its owner sends as outbound mail of the thread', () =>
    bringsInMail('google'));

  it('sends an email, which is linked to the copy in its sent mail, and continues its conversation', () =>
    sendsMail('google'));
});
