import { expect, it } from 'vitest';
import { now } from '../../../lib/adapters/clock.ts';
import { newId } from '../../../lib/adapters/ids.ts';
import { noVerdicts } from '../../../lib/core/email.ts';
import { parseArrival } from '../../../lib/services/receiving/arrival.ts';
import { storeInSpace, type Target } from '../../../lib/services/receiving/store-in-space.ts';
import { listEmails } from '../../../lib/storage/emails.ts';
import { workspace } from '../../support/workspace.ts';

/** A message, and a mailbox that it arrives in; `meanwhile` runs after the look for a copy, before the look for its thread. */
async function newCase(headers: readonly string[]) {
  const { id: workspaceId, providedDomain } = await workspace();
  const address = `desk@${providedDomain}`;
  const raw = Buffer.from([...headers, 'From: ann@buyer.test', `To: ${address}`, '', 'Hi'].join('\r\n'));
  const origin = { id: newId('evt'), returnPath: 'ann@buyer.test', verdicts: noVerdicts, raw: null };
  const arrival = await parseArrival(raw, () => ({ ...origin, isShared: false, isSent: false }));
  const receive = (meanwhile: () => Promise<unknown>) => {
    const mailbox: Target['mailbox'] = {
      mailboxId: newId('mbx'),
      raw,
      receivedAt: now(),
      isHistory: false,
      async findThread() {
        await meanwhile();
        return null;
      },
      findEmail: async () => null,
      link: () => [],
      linkCopy: async () => {},
    };
    const target = { workspaceId, spaceId: null, domainId: null, recipients: [address], mailbox };
    return storeInSpace(arrival, target, false);
  };
  return { workspaceId, receive };
}

const nothing = async () => {};

it.each([
  ['with a Message-ID', ['Message-ID: <order-7@buyer.test>']],
  ['without a Message-ID', []],
])(
  'storeInSpace stores a message %s once when a copy is stored after it looked for one',
  async (_, headers) => {
    const { workspaceId, receive } = await newCase(headers);
    const ids: string[] = [];
    ids.push(await receive(async () => ids.push(await receive(nothing))));
    const { items } = await listEmails(workspaceId, {}, { limit: 10, after: null });
    expect(ids).toEqual([items[0]?.id, items[0]?.id]);
    expect(items).toHaveLength(1);
  },
);
