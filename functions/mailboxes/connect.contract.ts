/** Contract of `POST /mailboxes/connect`. */
import * as z from 'zod';
import { limits } from '../../lib/core/limits.ts';
import { mailboxProviders } from '../../lib/core/mailboxes/mailbox.ts';
import { operation } from '../../lib/http/contract.ts';
import { idSchema, text } from '../../lib/http/schemas.ts';

export const connectMailboxOperation = operation({
  id: 'mailboxes.connect',
  method: 'POST',
  path: '/api/v2/mailboxes/connect',
  summary: 'Begin to connect a mailbox',
  description:
    'Send the person whose mailbox it is to `url`, within 15 minutes and once. After the consent the browser comes back to ' +
    '`return_to` with `status=connected` and `mailbox_id`, `status=denied`, or `status=error` and the `code` of a problem. ' +
    '`return_to` need not be registered. Without `app_id`, an app that the deployment shares is used.',
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
      provider: z.enum(mailboxProviders),
      return_to: z
        .string()
        .min(1)
        .max(limits.returnUrlCharacters)
        .describe(
          'An absolute https URL without credentials and fragment; plain http is allowed on localhost. Others are refused with `invalid_return_url`.',
        ),
      app_id: idSchema('app').nullable().optional(),
      space_id: idSchema('spc')
        .nullable()
        .optional()
        .describe(
          'The Space of a new mailbox. One that is there stays in its Space: another one is refused.',
        ),
      ref: z
        .string()
        .max(limits.mailboxRefCharacters)
        .nullable()
        .optional()
        .describe('Your own reference, which the event `mailbox.connected` has.'),
      region: z
        .string()
        .max(50)
        .optional()
        .describe('Of a new mailbox; default: the first of the deployment.'),
      backfill_days: z
        .int()
        .min(0)
        .max(limits.backfillDays)
        .default(0)
        .describe('Mail of so many days before the connection is fetched, too.'),
    })
    .meta({
      id: 'ConnectMailbox',
      examples: [{ provider: 'google', return_to: 'https://acme.dev/connected', ref: 'user-4711' }],
    }),
  responses: {
    201: {
      description: 'The URL of the consent page.',
      body: z
        .strictObject({ url: text('https://accounts.google.com/o/oauth2/v2/auth?client_id=…') })
        .meta({ id: 'MailboxConnection' }),
    },
  },
  problems: ['invalid_return_url', 'shared_apps_disabled', 'unknown_region', 'provider_error'],
});
