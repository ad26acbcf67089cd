/** The API record of a mailbox (docs/concepts/mailboxes.md). */
import * as z from 'zod';
import { type Mailbox, mailboxStates } from '../../core/mailboxes/mailbox.ts';
import {
  exampleTimestamp,
  idSchema,
  nullableText,
  spaceId,
  text,
  timestampOf,
  timestampOrNull,
  timestampSchema,
} from '../schemas.ts';
import { mailboxAddress, mailboxAppId, provider } from './fields.ts';

export const mailboxSchema = z
  .strictObject({
    id: idSchema('mbx'),
    provider,
    space_id: spaceId,
    address: mailboxAddress,
    name: nullableText('Anna Berg', 'Name of the account at the provider; null: it has none.'),
    state: z.enum(mailboxStates).meta({
      examples: ['active'],
      description:
        '`active`: mail flows both ways; `needs_reauth`: the person has to connect it again; `disconnected`: it was deleted, and can be connected again.',
    }),
    state_reason: nullableText(
      null,
      'Why the mailbox is not active, or was not synchronized for an hour, for people; null: neither is the case.',
    ),
    region: text('us-east-1', 'The AWS Region that processes its mail; never changes.'),
    app_id: mailboxAppId,
    connected_at: timestampSchema.describe('When the person last gave the consent.'),
    last_sync_at: timestampSchema.nullable().meta({
      examples: [exampleTimestamp],
      description: 'When a synchronization last read all mail; null before the first.',
    }),
  })
  .meta({ id: 'Mailbox', description: 'A mailbox of Google or Microsoft that a person has connected.' });

export function presentMailbox(mailbox: Mailbox): z.input<typeof mailboxSchema> {
  const { lastSyncAt } = mailbox;
  return {
    id: mailbox.id,
    provider: mailbox.provider,
    space_id: mailbox.spaceId,
    address: mailbox.address,
    name: mailbox.name,
    state: mailbox.state,
    state_reason: mailbox.stateReason,
    region: mailbox.region,
    app_id: mailbox.appId,
    connected_at: timestampOf(mailbox.connectedAt),
    last_sync_at: timestampOrNull(lastSyncAt),
  };
}
