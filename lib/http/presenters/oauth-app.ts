/** The API record and input of an OAuth app (docs/concepts/mailboxes.md#oauth-apps). */
import * as z from 'zod';
import { limits } from '../../core/limits.ts';
import { type MailboxProviderName, mailboxProviders } from '../../core/mailboxes/mailbox.ts';
import type { OauthApp } from '../../core/mailboxes/oauth-app.ts';
import { exampleId, idSchema, nullableText, text, timestampOf, timestampSchema } from '../schemas.ts';

const base = 'https://api.acme.dev';

export const oauthAppSchema = z
  .strictObject({
    id: idSchema('app'),
    provider: z.enum(mailboxProviders).meta({ examples: ['google'] }),
    name: text('Acme Mail'),
    slug: text('acme'),
    client_id: text('123456789012-abc.apps.googleusercontent.com'),
    tenant: nullableText(null, 'Microsoft: the only tenant whose accounts may connect.'),
    pubsub_topic: nullableText('projects/acme-mail/topics/gmail', 'Google: the topic of push notifications.'),
    accent: nullableText('#1f5fbf', 'Color of the button of the page.'),
    tagline: nullableText('Your inbox in Acme.'),
    support_email: nullableText('help@acme.dev'),
    logo_url: nullableText('https://acme.dev/logo.png'),
    return_urls: z.array(text('https://acme.dev/connected')),
    redirect_uri: text(`${base}/connect/callback/google`, 'To be registered with the provider.'),
    connect_url: text(`${base}/connect/acme`, 'The hosted page on which people connect their mailbox.'),
    push_endpoint: nullableText(
      `${base}/push/google/${exampleId('app')}`,
      'Google: the endpoint of the push subscription of the topic.',
    ),
    created_at: timestampSchema,
    updated_at: timestampSchema,
  })
  .meta({ id: 'OauthApp' });

/** The origin of the logo is in the content security policy of the page, in which `;` and `,` have a meaning. */
const httpsUrl = z
  .url({ protocol: /^https$/, error: 'must be an https URL', abort: true })
  .max(limits.returnUrlCharacters, { abort: true })
  .regex(/^https:\/\/[\w.-]+(:\d+)?([/?#]|$)/i, { error: 'must be an https URL of a host name' });

const settings = {
  name: z.string().min(1).max(100),
  client_id: z.string().min(1).max(500),
  tenant: z
    .string()
    .max(253, { abort: true })
    .regex(/^([0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|([a-z0-9-]+\.)+[a-z0-9-]+)$/i, {
      error: 'must be the id or a domain of a tenant',
    })
    .nullable()
    .describe('Microsoft: the id or a domain of the only tenant whose accounts may connect; null: any.'),
  pubsub_topic: z
    .string()
    .max(400, { abort: true })
    .regex(/^projects\/[\w.:-]+\/topics\/[A-Za-z][\w.~+%-]+$/, {
      error: 'must be the full name of a topic, such as projects/acme-mail/topics/gmail',
    })
    .nullable()
    .describe('Google: the full name of the Pub/Sub topic; null: new mail is found by polling.'),
  accent: z
    .string()
    .regex(/^#[0-9a-f]{6}$/i, { error: 'must be # and six hexadecimal digits' })
    .nullable(),
  tagline: z.string().min(1).max(200).nullable(),
  support_email: z.email({ error: 'must be an email address' }).max(254, { abort: true }).nullable(),
  logo_url: httpsUrl.nullable(),
  return_urls: z
    .array(z.string().max(4 * limits.returnUrlCharacters))
    .max(500)
    .describe(
      'Where the browser may return to: at most 20 absolute https URLs without credentials and fragment; plain http is ' +
        'allowed on localhost. Others are refused with `invalid_return_url`.',
    ),
};

/** What may be changed. */
export const oauthAppFields = {
  ...settings,
  client_secret: z.string().min(1).max(2000).describe('Encrypted, and in no response.'),
};

/** What is given once. */
export const newOauthAppFields = {
  provider: z.enum(mailboxProviders),
  slug: z
    .string()
    .min(3)
    .max(64, { abort: true })
    .regex(/^[a-z0-9-]+$/, { error: 'must have only a-z, 0-9 and -' }),
};

/** The given settings under their inner names. */
export function oauthAppChange(
  input: {
    readonly [Name in keyof typeof settings]?: z.output<(typeof settings)[Name]> | undefined;
  },
) {
  return {
    name: input.name,
    clientId: input.client_id,
    tenant: input.tenant,
    pubsubTopic: input.pubsub_topic,
    accent: input.accent,
    tagline: input.tagline,
    supportEmail: input.support_email,
    logoUrl: input.logo_url,
    returnUrls: input.return_urls,
  };
}

/** The redirect URI of a provider. */
export const redirectUriOf = (baseUrl: string, provider: MailboxProviderName): string =>
  `${baseUrl}/connect/callback/${provider}`;

/** @param baseUrl of the API */
export function presentOauthApp(app: OauthApp, baseUrl: string): z.input<typeof oauthAppSchema> {
  return {
    id: app.id,
    provider: app.provider,
    name: app.name,
    slug: app.slug,
    client_id: app.clientId,
    tenant: app.tenant,
    pubsub_topic: app.pubsubTopic,
    accent: app.accent,
    tagline: app.tagline,
    support_email: app.supportEmail,
    logo_url: app.logoUrl,
    return_urls: [...app.returnUrls],
    redirect_uri: redirectUriOf(baseUrl, app.provider),
    connect_url: `${baseUrl}/connect/${app.slug}`,
    push_endpoint: app.provider === 'google' ? `${baseUrl}/push/google/${app.id}` : null,
    created_at: timestampOf(app.createdAt),
    updated_at: timestampOf(app.updatedAt),
  };
}
