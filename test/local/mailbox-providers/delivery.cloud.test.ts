import { describe, expect, it } from 'vitest';
import { api } from '../../support/api.ts';
import { cloud } from '../../support/cloud.ts';
import { workspace } from '../../support/workspace.ts';

interface Listed {
  readonly data: readonly {
    readonly id: string;
    readonly subject: string;
    readonly folder: string;
    readonly raw: string;
  }[];
}

describe.each(['google', 'microsoft'])('mail of mailboxes of %s', (provider) => {
  const accounts = `/mailbox-providers/${provider}/accounts`;

  it('comes in from the API and goes out to its domains', async () => {
    const own = await workspace();
    const address = `ben@${own.slug}.${provider}.test`;
    const from = `hi@${own.providedDomain}`;
    await cloud().control('POST', accounts, { address });
    await api(own).post('/emails', { from, to: [address], subject: 'Hello', text: 'Hi' });
    await cloud().waitForQuiescence();
    const { data } = await cloud().control<Listed>('GET', `${accounts}/${address}/messages`);
    expect(data.map(({ subject, folder }) => [subject, folder])).toEqual([['Hello', 'inbox']]);
    const [, id] = /^Message-ID:\s+(\S+)/m.exec(data[0]?.raw ?? '') ?? [];
    await cloud().control('POST', `${accounts}/${address}/send`, {
      raw: `From: ${address}\r\nTo: ${from}\r\nSubject: Re: Hello\r\nIn-Reply-To: ${id}\r\n\r\nThank you\r\n`,
    });
    await cloud().waitForQuiescence();
    const { body } = await api(own).get('/emails?direction=inbound');
    expect(body.data).toEqual([expect.objectContaining({ subject: 'Re: Hello' })]);
  });
});
