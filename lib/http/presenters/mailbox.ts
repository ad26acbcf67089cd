/** The API record of a mailbox (docs/concepts/mailboxes.md). */
import * as z from 'zod';
import { type Mailbox, mailboxProviders, mailboxStates } from '../../core/mailboxes/mailbox.ts';
import { idSchema, nullableText, text, timestampOf, timestampOrNull, timestampSchema } from '../schemas.ts';

export const mailboxSchema = z
  .strictObject({
    id: idSchema('mbx'),
    provider: z.enum(mailboxProviders).meta({ examples: ['google'] }),
    space_id: idSchema('spc')
      .nullable()
      .meta({ examples: [null], description: 'Fixed by the first connection.' }),
    address: text('anna@acme.dev'),
    name: nullableText('Anna Berg'),
    state: z.enum(mailboxStates).meta({ examples: ['active'] }),
    state_reason: nullableText(
      null,
      'Why the mailbox is not active, or not synchronized for an hour, for people.',
    ),
    region: text('us-east-1', 'The AWS Region that processes its mail.'),
    app_id: idSchema('app')
      .nullable()
      .meta({ examples: [null], description: 'The OAuth app; null: an app that the deployment shares.' }),
    connected_at: timestampSchema.describe('The last connection.'),
    last_sync_at: timestampSchema.nullable(),
  })
  .meta({ id: 'Mailbox' });

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
