/** The control routes of the emulated mailbox providers: accounts, OAuth clients, tokens, mail, push notifications. */
import * as z from 'zod';
import { type ControlRoutes, fail, withoutUndefined } from '../control-route.ts';
import { isAddress, type ProviderAccount } from './accounts.ts';
import { topicForm } from './google/pubsub.ts';
import { mailFolders, type ProviderEmulator, type StoredMail } from './local-mailbox.ts';
import type { MailboxProviders } from './mailbox-providers.ts';
import { lifecycleEvents } from './microsoft/graph-subscriptions.ts';
import type { RegisteredClient } from './oauth-clients.ts';

/** The parts of a local cloud that the routes read and change. */
export interface MailboxProviderTarget {
  readonly mailboxProviders: Pick<MailboxProviders, 'google' | 'microsoft'>;
}

const bodies = {
  account: z.strictObject({
    address: z.string().refine(isAddress, 'is not an address'),
    name: z.string().optional(),
  }),
  client: z.strictObject({
    client_id: z.string().min(1),
    client_secret: z.string().min(1),
    name: z.string().min(1).default('App'),
    redirect_uris: z.array(z.string()),
    tenant_id: z.string().nullable().default(null),
  }),
  revocation: z.strictObject({ client_id: z.string().optional() }),
  message: z.strictObject({ raw: z.string().min(1), folder: z.enum(mailFolders).default('inbox') }),
  sending: z.strictObject({ raw: z.string().min(1), thread_id: z.string().nullable().default(null) }),
  folder: z.strictObject({ folder: z.enum(mailFolders) }),
  subscription: z.strictObject({
    topic: z.string().regex(topicForm, 'is not projects/PROJECT/topics/TOPIC'),
    push_endpoint: z.url({ protocol: /^https?$/ }),
    audience: z.string().optional(),
    service_account: z.string().default('push@local.iam.gserviceaccount.com'),
  }),
  lifecycle: z.strictObject({ event: z.enum(lifecycleEvents) }),
  pushes: z.strictObject({
    hold: z.boolean().optional(),
    release: z.strictObject({ duplicate: z.boolean().optional(), shuffle: z.int().optional() }).optional(),
    drop: z.literal(true).optional(),
  }),
};

const prefix = '/mailbox-providers';

type Parameters = Readonly<Record<string, string>>;
type Emulators = MailboxProviderTarget['mailboxProviders'];

function finders(emulators: Emulators) {
  const providerOf = (name = ''): ProviderEmulator =>
    name === 'google' || name === 'microsoft'
      ? emulators[name]
      : fail(404, `there is no mailbox provider ${name}`);
  const accountOf = ({ provider, address = '' }: Parameters) =>
    providerOf(provider).accounts.find(address) ?? fail(404, `there is no account ${address}`);
  const mailboxOf = (parameters: Parameters) =>
    providerOf(parameters.provider).mailbox(accountOf(parameters).address);
  return { providerOf, accountOf, mailboxOf };
}

export function mailboxProviderRoutes({ mailboxProviders }: MailboxProviderTarget): ControlRoutes {
  return {
    ...accountRoutes(mailboxProviders),
    ...mailRoutes(mailboxProviders),
    ...pushRoutes(mailboxProviders),
  };
}

function accountRoutes(emulators: Emulators): ControlRoutes {
  const { providerOf, accountOf } = finders(emulators);
  const present = (name: string) => {
    const { url, accounts, clients } = providerOf(name);
    return { url, accounts: accounts.list().map(presentAccount), clients: clients.list().map(presentClient) };
  };
  return {
    [`GET ${prefix}`]: {
      summary: 'Lists the emulated mailbox providers with their accounts and OAuth clients.',
      handle: () => ({ google: present('google'), microsoft: present('microsoft') }),
    },
    [`POST ${prefix}/{provider}/accounts`]: {
      summary: 'Creates an account: {address, name?}.',
      handle: ({ parameters, body }) =>
        presentAccount(providerOf(parameters.provider).accounts.add(body(bodies.account))),
    },
    [`POST ${prefix}/{provider}/clients`]: {
      summary: 'Registers an OAuth client: {client_id, client_secret, name?, redirect_uris, tenant_id?}.',
      handle: ({ parameters, body }) => {
        const { client_id, client_secret, name, redirect_uris, tenant_id } = body(bodies.client);
        const client = {
          clientId: client_id,
          clientSecret: client_secret,
          name,
          redirectUris: redirect_uris,
          tenantId: tenant_id,
        };
        providerOf(parameters.provider).clients.register(client);
        return presentClient(client);
      },
    },
    [`POST ${prefix}/{provider}/accounts/{address}/revoke`]: {
      summary: 'Ends what an account allowed, as the user or an administrator does: {client_id?}.',
      handle: ({ parameters, body }) => {
        const { address } = accountOf(parameters);
        const { client_id } = body(bodies.revocation);
        return { tokens: providerOf(parameters.provider).grants.revoke(address, client_id) };
      },
    },
    [`POST ${prefix}/{provider}/accounts/{address}/expire`]: {
      summary: 'Ends the access tokens of an account; refresh tokens stay valid.',
      handle: ({ parameters }) => ({
        tokens: providerOf(parameters.provider).grants.expireAccess(accountOf(parameters).address),
      }),
    },
  };
}

function mailRoutes(emulators: Emulators): ControlRoutes {
  const { mailboxOf } = finders(emulators);
  const messages = `${prefix}/{provider}/accounts/{address}/messages`;
  return {
    [`GET ${messages}`]: {
      summary: 'Lists the mail of a mailbox, newest first; ?folder=FOLDER filters.',
      handle: ({ parameters, query }) => {
        const folder = query.get('folder');
        const listed = mailboxOf(parameters)
          .list()
          .filter((mail) => folder === null || mail.folder === folder);
        return { data: listed.map(presentMail) };
      },
    },
    [`POST ${messages}`]: {
      summary: `Puts a message into a folder, by default as received: {raw, folder?: ${mailFolders.join(' | ')}}.`,
      handle: ({ parameters, body }) => {
        const { raw, folder } = body(bodies.message);
        mailboxOf(parameters).put(Buffer.from(raw), folder);
      },
    },
    [`POST ${messages}/{id}/move`]: {
      summary: 'Moves a message: {folder}.',
      handle: ({ parameters, body }) => {
        const { id = '' } = parameters;
        if (!mailboxOf(parameters).move(id, body(bodies.folder).folder))
          fail(404, `there is no message ${id}`);
      },
    },
    [`DELETE ${messages}/{id}`]: {
      summary: 'Deletes a message for good.',
      handle: ({ parameters }) => {
        const { id = '' } = parameters;
        if (!mailboxOf(parameters).remove(id)) fail(404, `there is no message ${id}`);
      },
    },
    [`POST ${prefix}/{provider}/accounts/{address}/send`]: {
      summary: 'Sends a message as the user of the mailbox: {raw, thread_id?}.',
      handle: ({ parameters, body }) => {
        const { raw, thread_id } = body(bodies.sending);
        mailboxOf(parameters).send(Buffer.from(raw), thread_id);
      },
    },
    [`POST ${prefix}/{provider}/accounts/{address}/forget-history`]: {
      summary: 'Makes the history and delta positions of a mailbox out of date.',
      handle: ({ parameters }) => mailboxOf(parameters).forgetHistory(),
    },
  };
}

function pushRoutes(emulators: Emulators): ControlRoutes {
  const { providerOf } = finders(emulators);
  return {
    [`POST ${prefix}/google/subscriptions`]: {
      summary:
        'Creates a Pub/Sub topic with a push subscription: {topic, push_endpoint, audience?, service_account?}.',
      handle: ({ body }) => {
        const { topic, push_endpoint, audience, service_account } = body(bodies.subscription);
        const name = topic.replace('/topics/', '/subscriptions/');
        emulators.google.pubSub.subscribe({
          name,
          topic,
          pushEndpoint: push_endpoint,
          audience: audience ?? push_endpoint,
          serviceAccount: service_account,
        });
        return { name };
      },
    },
    [`POST ${prefix}/microsoft/accounts/{address}/lifecycle`]: {
      summary: `Sends a lifecycle notification to the subscriptions of a mailbox: {event: ${lifecycleEvents.join(' | ')}}.`,
      handle: ({ parameters: { address = '' }, body }) => {
        const account =
          emulators.microsoft.accounts.find(address) ?? fail(404, `there is no account ${address}`);
        const { event } = body(bodies.lifecycle);
        return { subscriptions: emulators.microsoft.notifyLifecycle(account.address, event) };
      },
    },
    [`GET ${prefix}/{provider}/pushes`]: {
      summary: 'Lists the push notifications that are held.',
      handle: ({ parameters }) => ({
        data: providerOf(parameters.provider)
          .pushes.gate.held()
          .map(({ account, url, body }) => ({ account, url, body: JSON.parse(body) })),
      }),
    },
    [`POST ${prefix}/{provider}/pushes`]: {
      summary:
        'Holds, releases or drops push notifications: {hold?, release?: {duplicate?, shuffle?}, drop?}.',
      handle: ({ parameters, body }) => {
        const { gate } = providerOf(parameters.provider).pushes;
        const { hold, release, drop } = body(bodies.pushes);
        const dropped = drop ? gate.drop() : 0;
        if (hold !== undefined) gate.hold(hold);
        return { dropped, released: release ? gate.release(withoutUndefined(release)) : 0 };
      },
    },
  };
}

function presentMail({ id, threadId, folder, at, facts, raw }: StoredMail) {
  const { messageId, from, recipients, subject } = facts;
  return {
    id,
    thread_id: threadId,
    folder,
    at: new Date(at).toISOString(),
    message_id: messageId,
    from,
    recipients,
    subject,
    raw: raw.toString(),
  };
}

function presentAccount({ address, name, id, tenantId }: ProviderAccount) {
  return { address, name, id, ...(tenantId !== '' && { tenant_id: tenantId }) };
}

function presentClient({ clientId, name, redirectUris, tenantId }: RegisteredClient) {
  return { client_id: clientId, name, redirect_uris: redirectUris, tenant_id: tenantId };
}
