/** The signal `first_contact` in answers: somebody whom the space has written to is no stranger (docs/concepts/signals.md#codes). */
import { expect, it } from 'vitest';
import { api } from '../support/api.ts';
import { cloud } from '../support/cloud.ts';
import { workspace } from '../support/workspace.ts';

const forged = { 'X-Local-Dmarc-Verdict': 'FAIL' };

it('is not there where the author answers an email that was sent to them, and there where anybody else does', async () => {
  const ours = await workspace();
  const client = api(ours);
  const desk = `desk@${ours.providedDomain}`;
  const [anna, ben, eve] = ['anna', 'ben', 'eve'].map((name) => `${name}@${ours.slug}.example.test`) as [
    string,
    string,
    string,
  ];
  await client.post('/emails', { from: desk, to: anna, cc: ben, subject: 'Your order', text: 'Sent.' });
  await cloud().waitForQuiescence();
  const [mail] = await cloud().sentTo(anna);
  const answer = async (from: string, text: string, more: object = {}) => {
    const inReplyTo = mail?.message_id ?? '';
    await cloud().sendMail({ from, to: desk, subject: 'Re: Your order', text, inReplyTo, ...more });
    await cloud().waitForQuiescence();
    const { body } = await client.get('/emails?direction=inbound&limit=1');
    const { body: email } = await client.get<{ signals: { code: string }[] }>(`/emails/${body.data[0]?.id}`);
    return email.signals.map(({ code }) => code);
  };
  expect(await answer(eve, 'I have it.')).toEqual(['first_contact']);
  expect(await answer(anna, 'Pay me.', { headers: forged })).toEqual(['first_contact']);
  expect(await answer(ben, 'Thanks.')).toEqual([]);
  expect(await answer(eve, 'Once more.')).toEqual([]);
});
