import { expect, it } from 'vitest';
import { listEmails } from '../../../lib/storage/emails/email-heads.ts';
import { arrivingMessage } from '../../support/arriving-message.ts';
import { workspace } from '../../support/workspace.ts';

const lines = ['From: ann@buyer.test', 'To: desk@own.test', '', 'Hi'];

it.each([
  ['with a Message-ID', ['Message-ID: <order-7@buyer.test>']],
  ['without a Message-ID', []],
])(
  'storeInSpace stores a message %s once when a copy is stored after it looked for one',
  async (_, headers) => {
    const { id: workspaceId } = await workspace();
    const receive = await arrivingMessage({ workspaceId }, [...headers, ...lines]);
    const ids: string[] = [];
    ids.push(await receive(async () => ids.push(await receive())));
    const { items } = await listEmails(workspaceId, {}, { limit: 10, after: null });
    expect(ids).toEqual([items[0]?.id, items[0]?.id]);
    expect(items).toHaveLength(1);
  },
);
