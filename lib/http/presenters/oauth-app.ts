/** The API record and input of an OAuth app (docs/concepts/mailboxes.md#oauth-apps). */
import * as z from 'zod';
import { limits } from '../../core/limits.ts';
import type { MailboxProviderName } from '../../core/mailboxes/mailbox.ts';
import type { OauthApp } from '../../core/mailboxes/oauth-app.ts';
import { createdAt, exampleId, idSchema, nullableText, text, timestampOf, updatedAt } from '../schemas.ts';
import { provider } from './fields.ts';

const base = 'https://api.acme.dev';

const examples = {
  name: 'Acme Mail',
  clientId: '123456789012-abc.apps.googleusercontent.com',
  topic: 'projects/acme-mail/topics/gmail',
  accent: '#1f5fbf',
  tagline: 'Your inbox in Acme.',
  supportEmail: 'help@acme.dev',
  logoUrl: 'https://acme.dev/logo.png',
  returnUrl: 'https://acme.dev/connected',
};

const texts = {
  name: 'Shown on the hosted page.',
  slug: 'Last part of `connect_url`; never changes, and no other app of the service has it.',
  clientId: 'Client id that the provider gave; with another one, its mailboxes need a new consent.',
  tenant: 'Microsoft: id or domain of the only tenant whose accounts may connect; null: any.',
  topic: 'Google: full name of the Pub/Sub topic for push notifications; null: new mail is found by polling.',
  accent: 'Color of the button on the hosted page, `#` and six hexadecimal digits; null: the default.',
  tagline: 'Sentence below the name on the hosted page; null: none.',
  supportEmail: 'Address for questions on the hosted page; null: none.',
  logoUrl: 'https URL of the image on the hosted page; null: none.',
  returnUrls: 'Where the browser may return to after a connection by a link; the first is the default.',
};

export const oauthAppSchema = z
  .strictObject({
    id: idSchema('app'),
    provider,
    name: text(examples.name, texts.name),
    slug: text('acme', texts.slug),
    client_id: text(examples.clientId, texts.clientId),
    tenant: nullableText(null, texts.tenant),
    pubsub_topic: nullableText(examples.topic, texts.topic),
    accent: nullableText(examples.accent, texts.accent),
    tagline: nullableText(examples.tagline, texts.tagline),
    support_email: nullableText(examples.supportEmail, texts.supportEmail),
    logo_url: nullableText(examples.logoUrl, texts.logoUrl),
    return_urls: z.array(text(examples.returnUrl)).describe(texts.returnUrls),
    redirect_uri: text(
      `${base}/connect/callback/google`,
      'Register it with the provider, which otherwise refuses the consent.',
    ),
    connect_url: text(`${base}/connect/acme`, 'The hosted page on which people connect their mailbox.'),
    push_endpoint: nullableText(
      `${base}/push/google/${exampleId('app')}`,
      'Google: the endpoint to give to the push subscription of the topic; Microsoft: null.',
    ),
    created_at: createdAt,
    updated_at: updatedAt,
  })
  .meta({
    id: 'OauthApp',
    description: 'Your own OAuth client at a provider, with the hosted page for connecting mailboxes.',
  });

/** The origin of the logo is in the content security policy of the page, in which `;` and `,` have a meaning. */
const httpsUrl = z
  .url({ protocol: /^https$/, error: 'must be an https URL', abort: true })
  .max(limits.returnUrlCharacters, { abort: true })
  .regex(/^https:\/\/[\w.-]+(:\d+)?([/?#]|$)/i, { error: 'must be an https URL of a host name' });

const settings = {
  name: z
    .string()
    .min(1)
    .max(100)
    .meta({ examples: [examples.name], description: texts.name }),
  client_id: z
    .string()
    .min(1)
    .max(500)
    .meta({ examples: [examples.clientId], description: texts.clientId }),
  tenant: z
    .string()
    .max(253, { abort: true })
    .regex(/^([0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|([a-z0-9-]+\.)+[a-z0-9-]+)$/i, {
      error: 'must be the id or a domain of a tenant',
    })
    .nullable()
    .meta({ examples: ['acme.onmicrosoft.com'], description: texts.tenant }),
  pubsub_topic: z
    .string()
    .max(400, { abort: true })
    .regex(/^projects\/[\w.:-]+\/topics\/[A-Za-z][\w.~+%-]+$/, {
      error: 'must be the full name of a topic, such as projects/acme-mail/topics/gmail',
    })
    .nullable()
    .meta({ examples: [examples.topic], description: texts.topic }),
  accent: z
    .string()
    .regex(/^#[0-9a-f]{6}$/i, { error: 'must be # and six hexadecimal digits' })
    .nullable()
    .meta({ examples: [examples.accent], description: texts.accent }),
  tagline: z
    .string()
    .min(1)
    .max(200)
    .nullable()
    .meta({ examples: [examples.tagline], description: texts.tagline }),
  support_email: z
    .string()
    .max(254, { abort: true })
    .check(z.email({ error: 'must be an email address' }))
    .nullable()
    .meta({ examples: [examples.supportEmail], description: texts.supportEmail }),
  logo_url: httpsUrl.nullable().meta({ examples: [examples.logoUrl], description: texts.logoUrl }),
  return_urls: z
    .array(
      z
        .string()
        .max(4 * limits.returnUrlCharacters)
        .meta({ maxLength: limits.returnUrlCharacters, examples: [examples.returnUrl] }),
    )
    .max(500)
    // The service refuses what is above these limits, with `invalid_return_url`.
    .meta({
      maxItems: limits.returnUrls,
      description:
        `${texts.returnUrls} Each is an absolute https URL without credentials and fragment, or http on localhost; ` +
        'others are refused with `invalid_return_url`.',
    }),
};

/** What may be changed. */
export const oauthAppFields = {
  ...settings,
  client_secret: z
    .string()
    .min(1)
    .max(2000)
    .meta({
      examples: ['GOCSPX-…'],
      description: 'Client secret that the provider gave; it is stored encrypted and is in no response.',
    }),
};

/** What is given once. */
export const newOauthAppFields = {
  provider,
  slug: z
    .string()
    .min(3)
    .max(64, { abort: true })
    .regex(/^[a-z0-9-]+$/, { error: 'must have only a-z, 0-9 and -' })
    .meta({ examples: ['acme'], description: texts.slug }),
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
