/** Addresses from which the workspace can send. */
import * as z from 'zod';
import { reads, tool } from '../tool.ts';
import { space } from './arguments.ts';

const most = 100;

export const listSenders = tool({
  name: 'list_senders',
  title: 'List senders',
  description:
    'Lists from where email can be sent: domains (every address at a verified one) and connected mailboxes (only their own address), ' +
    'with what is wrong where one cannot send.',
  scope: 'read',
  annotations: { ...reads, openWorldHint: false },
  input: z.strictObject({ space }),
  async run({ space: of }, { parley, signal }) {
    const [domains, mailboxes] = await Promise.all([
      parley.domains.list({ limit: most, space: of }, { signal }),
      parley.mailboxes.list({ limit: most, space: of }, { signal }),
    ]);
    return {
      domains: domains.items.map(({ id, name, verified_at: verified, space_id, provided }) => ({
        domain: name,
        domain_id: id,
        can_send: verified !== null,
        addresses: name.startsWith('*.')
          ? `any address at any subdomain of ${name.slice(2)}`
          : `any address at ${name}, such as support@${name}`,
        ...(verified === null && { problem: 'Its DNS records are not set: the person has to set them.' }),
        ...(provided && { provided: true }),
        ...(space_id !== null && { space_id }),
      })),
      mailboxes: mailboxes.items.map(({ id, address, state, state_reason: reason, space_id }) => ({
        address,
        mailbox_id: id,
        can_send: state === 'active',
        ...(reason !== null && { problem: reason }),
        ...(space_id !== null && { space_id }),
      })),
      ...((domains.next_cursor !== null || mailboxes.next_cursor !== null) && {
        incomplete: `Only the first ${most} of each are shown: give a space.`,
      }),
    };
  },
});
