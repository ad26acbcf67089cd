import { afterEach, describe, expect, it } from 'vitest';
import { createFaults } from '../../../lib/local/aws/faults.ts';
import { createClock } from '../../../lib/local/clock.ts';
import { generousLimits } from '../../../lib/local/limits.ts';
import { startMailboxProviders } from '../../../lib/local/mailbox-providers/mailbox-providers.ts';
import type { IncomingMail } from '../../../lib/local/ses/incoming-mail.ts';
import { parseMime } from '../../../lib/mail/message/parse-mime.ts';
import { readDeliveryReport } from '../../../lib/mail/reports/delivery-report.ts';

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  await Promise.all(closing.splice(0).map((close) => close()));
});

async function setUp() {
  const clock = createClock();
  const outside: IncomingMail[] = [];
  const providers = await startMailboxProviders({
    ports: { google: 0, microsoft: 0 },
    clock,
    faults: createFaults(),
    seed: 1,
    limits: generousLimits.mailboxes,
    onProgress: () => {},
    deliverOutside: async (mail) => outside.push(mail),
  });
  closing.push(async () => {
    clock.close();
    await providers.close();
  });
  providers.google.accounts.add({ address: 'anna@gmail.com' });
  providers.microsoft.accounts.add({ address: 'ben@acme.test' });
  const anna = providers.google.mailbox('anna@gmail.com');
  const ben = providers.microsoft.mailbox('ben@acme.test');
  return { providers, outside, anna, ben };
}

const mail = (from: string, to: string) =>
  Buffer.from(`From: ${from}\r\nTo: ${to}\r\nSubject: Lunch\r\nMessage-ID: <1@example.test>\r\n\r\nHi\r\n`);

describe('startMailboxProviders', () => {
  it('delivers from one provider to the other, with labels, and the rest outside', async () => {
    const { outside, anna, ben } = await setUp();
    anna.send(mail('anna@gmail.com', 'Ben+news@acme.test, cleo@example.test'), null);
    expect(ben.list().map(({ folder, facts }) => [folder, facts.subject])).toEqual([['inbox', 'Lunch']]);
    expect(outside.map(({ recipients, isAuthenticated }) => [recipients, isAuthenticated])).toEqual([
      [['cleo@example.test'], true],
    ]);
  });

  it('returns the recipients that have no mailbox', async () => {
    const { providers, anna } = await setUp();
    const raw = mail('cleo@example.test', 'anna@gmail.com');
    const recipients = ['anna@gmail.com', 'cleo@example.test'];
    expect(providers.receive({ from: 'cleo@example.test', recipients, raw })).toEqual(['cleo@example.test']);
    expect(anna.list()).toHaveLength(1);
  });

  it.each(['anna', 'ben'] as const)(
    'returns a delivery status notification to %s for a bounce',
    async (name) => {
      const { outside, ...mailboxes } = await setUp();
      const from = { anna: 'anna@gmail.com', ben: 'ben@acme.test' }[name];
      mailboxes[name].send(mail(from, 'cleo+bounce@example.test'), null);
      const [notification, sent] = mailboxes[name].list();
      expect(outside).toEqual([]);
      expect([sent?.folder, notification?.folder, notification?.facts.references]).toEqual([
        'sent',
        'inbox',
        [sent?.facts.messageId],
      ]);
      const report = readDeliveryReport(await parseMime(notification?.raw ?? Buffer.alloc(0)));
      expect(report?.recipients).toEqual([
        expect.objectContaining({ address: 'cleo+bounce@example.test', action: 'failed', status: '5.1.1' }),
      ]);
    },
  );
});
