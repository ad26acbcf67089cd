/** A message on its way into a space, through a mailbox whose provider lets a test act in between. */
import { now } from '../../lib/adapters/clock.ts';
import { newId } from '../../lib/adapters/ids.ts';
import { noVerdicts } from '../../lib/core/emails/email.ts';
import type { EmailId, SpaceId, WorkspaceId } from '../../lib/core/ids.ts';
import { parseMime } from '../../lib/mail/message/parse-mime.ts';
import { newArrival } from '../../lib/services/receiving/arrival.ts';
import { storeInSpace } from '../../lib/services/receiving/store-in-space.ts';
import type { Target } from '../../lib/services/receiving/target.ts';
import { lookUpArrival } from '../../lib/storage/emails/arrivals.ts';

/**
 * Receives a message, to be called once for each copy.
 *
 * @param lines of the message
 * @returns `meanwhile` runs after the look for a copy, before the look for its thread
 */
export async function arrivingMessage(
  { workspaceId, spaceId = null }: { readonly workspaceId: WorkspaceId; readonly spaceId?: SpaceId | null },
  lines: readonly string[],
): Promise<(meanwhile?: () => Promise<unknown>) => Promise<EmailId>> {
  const raw = Buffer.from(lines.join('\r\n'));
  const origin = { id: newId('evt'), returnPath: 'ann@buyer.test', verdicts: noVerdicts, raw: null };
  const arrival = await newArrival(await parseMime(raw), { ...origin, isShared: false, isSent: false });
  return async (meanwhile = async () => {}) => {
    const mailbox: Target['mailbox'] = {
      mailboxId: newId('mbx'),
      messageId: newId('evt'),
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
    const target = { workspaceId, spaceId, domainId: null, recipients: ['desk@own.test'], mailbox };
    return (await storeInSpace(arrival, target, await lookUpArrival(target, arrival), false)).id;
  };
}
