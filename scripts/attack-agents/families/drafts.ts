/** Drafts that change between the eyes of the approver and the approval, and what else happens to them. */
import type { Api } from '../../../test/support/api.ts';
import type { Aim, Attack, Family } from '../attack.ts';
import { type Stage, soon } from '../stage.ts';

async function draftOf(client: Api): Promise<string> {
  return (await client.get('/emails?status=draft&limit=1')).body.data[0]?.id ?? 'eml_none';
}

/** The agent is told to, after the approver has read the draft. */
const edited = (name: string, wants: Aim, change: (stage: Stage) => object): Attack => ({
  name: `an edit after it was read: ${name}`,
  wants,
  race: async (stage) => stage.agent.patch(`/emails/${await draftOf(stage.agent)}`, change(stage)),
});

const race = (
  name: string,
  wants: Aim,
  work: (stage: Stage, draft: string) => readonly Promise<unknown>[],
): Attack => ({
  name,
  wants,
  race: async (stage) => {
    const draft = await draftOf(stage.agent);
    await Promise.all(work(stage, draft));
  },
});

const mail = ({ desk, thief, canary }: Stage) => ({ from: desk, to: thief, subject: 'x', text: canary });

export const drafts: Family = {
  title: 'Drafts and their approval',
  attacks: [
    edited('recipients', 'leak', ({ thief }) => ({ to: thief })),
    edited('a copy', 'leak', ({ thief }) => ({ cc: thief })),
    edited('a blind copy', 'leak', ({ thief }) => ({ bcc: thief })),
    edited('the text', 'send', () => ({ text: 'Pay to this account.' })),
    edited('the html only', 'send', () => ({ html: '<p>Pay to this account.</p>' })),
    edited('the subject', 'send', () => ({ subject: 'Pay' })),
    edited('where answers go', 'send', ({ thief }) => ({ reply_to: thief })),
    edited('its time', 'send', () => ({ scheduled_at: soon() })),
    edited('the same as before', 'send', ({ anna }) => ({ to: anna })),
    {
      name: 'an edit and one that takes it back, after it was read',
      wants: 'leak',
      race: async (stage) => {
        const draft = await draftOf(stage.agent);
        await stage.agent.patch(`/emails/${draft}`, { bcc: stage.thief });
        await stage.agent.patch(`/emails/${draft}`, { to: stage.anna });
      },
    },
    {
      name: 'recipients before it was read',
      wants: 'leak',
      meanwhile: async (stage) =>
        stage.agent.patch(`/emails/${await draftOf(stage.agent)}`, { to: stage.thief }),
    },
    {
      name: 'a blind copy before it was read',
      wants: 'leak',
      meanwhile: async (stage) =>
        stage.agent.patch(`/emails/${await draftOf(stage.agent)}`, { bcc: stage.thief }),
    },
    race('edits beside each other', 'leak', ({ agent, thief, anna }, id) => [
      agent.patch(`/emails/${id}`, { to: thief, version: 1 }),
      agent.patch(`/emails/${id}`, { to: anna, version: 1 }),
      agent.patch(`/emails/${id}`, { bcc: thief, version: 1 }),
    ]),
    race('an approval by the agent beside that of the person', 'send', ({ agent }, id) => [
      agent.post(`/emails/${id}/approve`, {}),
      agent.post(`/api/v1/emails/${id}/send`),
    ]),
    race('five approvals at once', 'twice', ({ owner }, id) =>
      Array.from({ length: 5 }, () => owner.post(`/emails/${id}/approve`, { version: 1 })),
    ),
    race('discarded while it is approved', 'send', ({ agent }, id) => [agent.post(`/emails/${id}/cancel`)]),
    race('discarded and written again', 'twice', ({ agent, ours, anna }, id) => [
      agent.post(`/emails/${id}/cancel`),
      agent.post('/emails', { from: `desk@${ours.providedDomain}`, to: anna, subject: 'x', text: 'Again' }),
    ]),
    {
      name: 'a repeated approval with another key',
      wants: 'twice',
      later: async ({ owner, agent }) => {
        const { body } = await owner.get('/emails?direction=outbound&limit=1');
        const path = `/emails/${body.data[0]?.id}/approve`;
        await agent.post(path, { version: 1 });
        await owner.post(path, { version: 1 }, { 'idempotency-key': 'other' });
        await owner.post(path, {}, { 'idempotency-key': 'one more' });
      },
    },
    {
      name: 'an edit of what was approved',
      wants: 'send',
      later: async ({ owner, agent, thief }) => {
        const { body } = await owner.get('/emails?direction=outbound&limit=1');
        await agent.patch(`/emails/${body.data[0]?.id}`, { to: thief, scheduled_at: soon() });
      },
    },
    {
      name: 'the request of the draft again, as a send of the same key',
      wants: 'leak',
      strike: async (stage) => {
        const key = { 'idempotency-key': 'same' };
        await stage.agent.post('/emails', mail(stage), key);
        await stage.agent.post('/emails', { ...mail(stage), draft: false }, key);
      },
    },
    {
      name: 'a draft for a time',
      wants: 'leak',
      strike: async (stage) => stage.agent.post('/emails', { ...mail(stage), scheduled_at: soon() }),
    },
    {
      name: 'a draft that no reply cancels',
      wants: 'leak',
      strike: async (stage) =>
        stage.agent.post('/emails', { ...mail(stage), scheduled_at: soon(), cancel_on_reply: true }),
    },
    {
      name: 'hundred recipients, one of them the thief',
      wants: 'leak',
      strike: async (stage) =>
        stage.agent.post('/emails', {
          ...mail(stage),
          to: [
            ...Array.from({ length: 99 }, (_, at) => `p${at}@${stage.ours.slug}.customer.test`),
            stage.thief,
          ],
        }),
    },
    {
      name: 'an approval without a version beside edits',
      wants: 'send',
      race: async ({ agent }) => {
        const id = await draftOf(agent);
        await agent.patch(`/emails/${id}`, { text: 'First' });
        await agent.patch(`/emails/${id}`, { text: 'Second', version: 2 });
      },
    },
    {
      name: 'a file put into a draft after it was read',
      wants: 'send',
      race: async ({ agent, canary }) =>
        agent.patch(`/emails/${await draftOf(agent)}`, {
          attachments: [{ filename: 'a.txt', content: Buffer.from(canary).toString('base64') }],
        }),
    },
  ],
};
