/** Contract of `POST /mailboxes/connect`. */
import * as z from 'zod';
import { limits } from '../../lib/core/limits.ts';
import { operation } from '../../lib/http/contract.ts';
import { provider } from '../../lib/http/presenters/fields.ts';
import { idSchema, text } from '../../lib/http/schemas.ts';

const returnToText =
  'Where the browser comes back to: an absolute https URL without credentials and fragment, or http on localhost; others ' +
  'are refused with `invalid_return_url`.';

export const connectMailboxOperation = operation({
  id: 'mailboxes.connect',
  method: 'POST',
  path: '/api/v2/mailboxes/connect',
  summary: 'Begin to connect a mailbox',
  description:
    'Returns a link to the consent page of the provider. Send the person whose mailbox it is to `url`, within 15 ' +
    'minutes and once. After the consent the browser comes back to `return_to` with `status=connected` and ' +
    '`mailbox_id`, `status=denied`, or `status=error` and the `code` of a problem. `return_to` need not be registered.',
  scope: 'full',
  budget: 'read',
  access: [
    'table:put',
    'secrets:decrypt:link-secret',
    'secrets:decrypt:oauth-app-secret',
    'secrets:encrypt:mailbox-token',
    'shared-apps:read',
  ],
  params: z.strictObject({}),
  query: z.strictObject({}),
  body: z
    .strictObject({
      provider,
      return_to: z
        .string()
        .min(1)
        .max(limits.returnUrlCharacters)
        .meta({ examples: ['https://acme.dev/connected'], description: returnToText }),
      app_id: idSchema('app')
        .nullable()
        .optional()
        .describe(
          'The OAuth app that asks for the consent; without it, or null: one that the deployment shares.',
        ),
      space_id: idSchema('spc')
        .nullable()
        .optional()
        .describe(
          'The Space of a new mailbox. One that is there stays in its Space; another Space ends with the code `mailbox_space_conflict`.',
        ),
      ref: z
        .string()
        .max(limits.mailboxRefCharacters)
        .nullable()
        .optional()
        .meta({
          examples: ['user-4711'],
          description: 'Your own reference, which the event `mailbox.connected` has; not unique.',
        }),
      region: z
        .string()
        .max(50)
        .optional()
        .meta({
          examples: ['us-east-1'],
          description:
            'The AWS Region that processes mail of a new mailbox; without it, the first of the deployment.',
        }),
      backfill_days: z
        .int()
        .min(0)
        .max(limits.backfillDays)
        .default(0)
        .describe('Days before the connection of which mail is fetched, too; 0: only new mail.'),
    })
    .meta({
      description: 'Who runs the mailbox, and where the browser returns to.',
      examples: [{ provider: 'google', return_to: 'https://acme.dev/connected', ref: 'user-4711' }],
    }),
  responses: {
    201: {
      description: 'The URL of the consent page.',
      body: z
        .strictObject({
          url: text(
            'https://accounts.google.com/o/oauth2/v2/auth?client_id=…',
            'The consent page of the provider; valid for 15 minutes, and once.',
          ),
        })
        .meta({
          id: 'MailboxConnection',
          description: 'A connection that waits for the consent of a person.',
        }),
    },
  },
  problems: ['invalid_return_url', 'shared_apps_disabled', 'unknown_region', 'provider_error'],
});
