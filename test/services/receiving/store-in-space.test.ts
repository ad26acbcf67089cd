import { expect, it } from 'vitest';
import { listEmails } from '../../../lib/storage/emails/email-heads.ts';
import { findFullEmail } from '../../../lib/storage/emails/emails.ts';
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

// A field has at most 1,000 addresses (`field-limits.ts`).
it.each([
  [100, 100],
  [101, 101],
  [10_000, 1000],
])('storeInSpace keeps of %i recipients %i, and the first hundred in the head', async (count, kept) => {
  const { id: workspaceId } = await workspace();
  const to = Array.from({ length: count }, (_, at) => `p${at}@x.test`);
  const receive = await arrivingMessage({ workspaceId }, [
    'From: ann@buyer.test',
    `To: ${to.join(',\r\n ')}`,
    '',
    'Hi',
  ]);
  const stored = await findFullEmail(workspaceId, await receive());
  const { head, content } = stored ?? {};
  expect(head?.to.map(({ address }) => address)).toEqual(to.slice(0, 100));
  expect((content?.to ?? head?.to)?.map(({ address }) => address)).toEqual(to.slice(0, kept));
});
