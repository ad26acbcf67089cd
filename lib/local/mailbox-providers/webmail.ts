/** A small webmail for the emulated mailboxes: lists, reads, writes and answers mail in a browser. Without scripts. */
import { convert } from 'html-to-text';
import { createTransport } from 'nodemailer';
import PostalMime from 'postal-mime';
import type { HttpResponse } from '../http-server.ts';
import { formOf, type ProviderCall, Refusal, redirectTo } from './http.ts';
import { type LocalMailbox, mailFolders, type ProviderEmulator, type StoredMail } from './local-mailbox.ts';
import { baseSubject } from './mail-facts.ts';
import type { ProviderRoutes } from './provider-server.ts';
import type { RandomText } from './random-text.ts';
import * as pages from './webmail-pages.ts';

export interface WebmailOptions {
  /** `Google`, `Microsoft`. */
  readonly provider: string;
  readonly accounts: ProviderEmulator['accounts'];
  readonly mailbox: ProviderEmulator['mailbox'];
  readonly now: () => number;
  readonly text: RandomText;
}

const service = 'webmail';

export function webmailRoutes(options: WebmailOptions): ProviderRoutes {
  const route = (action: string, handle: (call: ProviderCall) => HttpResponse | Promise<HttpResponse>) => ({
    service,
    action,
    handle,
  });
  return {
    'GET /mail': route('accounts', ({ query }) =>
      pages.accountsPage(options.provider, options.accounts.list(), query),
    ),
    'POST /mail': route('createAccount', (call) => {
      const address = formOf(call).get('address')?.trim() ?? '';
      if (!pages.isTypedAddress(address)) {
        return pages.accountsPage(options.provider, options.accounts.list(), call.query);
      }
      return redirectTo(`${originOf(call)}${pages.mailPath(options.accounts.add({ address }).address)}`);
    }),
    'GET /mail/{address}': route('list', (call) => {
      const { address, mailbox } = mailboxOf(options, call);
      const folder = mailFolders.find((name) => name === call.query.get('folder')) ?? 'inbox';
      const mails = mailbox.list().filter((mail) => mail.folder === folder);
      return pages.folderPage(options.provider, address, folder, mails);
    }),
    'GET /mail/{address}/write': route('write', (call) =>
      pages.writePage(options.provider, mailboxOf(options, call).address, null),
    ),
    'GET /mail/{address}/messages/{id}': route('read', async (call) => {
      const { address, mailbox } = mailboxOf(options, call);
      const mail = mailOf(mailbox, call.parameters.id);
      return pages.messagePage(options.provider, address, mail, await textOf(mail));
    }),
    'POST /mail/{address}/messages': route('send', async (call) => {
      const { address, mailbox } = mailboxOf(options, call);
      const form = formOf(call);
      const answered = form.get('answers') ? mailOf(mailbox, form.get('answers') ?? '') : null;
      const written = {
        to: form.get('to') ?? '',
        subject: form.get('subject') ?? '',
        text: form.get('text') ?? '',
      };
      if (!pages.isTypedAddress(written.to)) {
        return pages.writePage(options.provider, address, {
          ...written,
          error: 'Type one address to send to.',
        });
      }
      const name = options.accounts.find(address)?.name ?? '';
      mailbox.send(await composed(options, { name, address }, written, answered), answered?.threadId ?? null);
      return redirectTo(`${originOf(call)}${pages.mailPath(address)}?folder=sent`);
    }),
  };
}

/** A redirect needs an absolute URL of the host that the browser uses. */
function originOf({ headers }: ProviderCall): string {
  return `http://${headers.host ?? '127.0.0.1'}`;
}

function mailboxOf({ accounts, mailbox, provider }: WebmailOptions, call: ProviderCall) {
  const account = accounts.find(call.parameters.address ?? '');
  if (!account) throw new Refusal(pages.notFoundPage(provider));
  return { address: account.address, mailbox: mailbox(account.address) };
}

function mailOf(mailbox: LocalMailbox, id = ''): StoredMail {
  const mail = mailbox.list().find((one) => one.id === id);
  if (mail) return mail;
  throw new Refusal(pages.notFoundPage('Mail'));
}

async function textOf({ raw }: StoredMail): Promise<string> {
  const { text, html } = await PostalMime.parse(raw);
  return text ?? (html ? convert(html) : '');
}

async function composed(
  { now, text }: WebmailOptions,
  from: { readonly name: string; readonly address: string },
  written: { readonly to: string; readonly subject: string; readonly text: string },
  answered: StoredMail | null,
): Promise<Buffer> {
  const transport = createTransport({ streamTransport: true, buffer: true, newline: 'windows' });
  const id = answered?.facts.messageId ?? null;
  const { message } = await transport.sendMail({
    from,
    to: written.to,
    subject: answered ? `Re: ${baseSubject(answered.facts.subject)}` : written.subject,
    text: written.text,
    date: new Date(now()),
    messageId: `<${text.token(24)}@webmail.test>`,
    ...(answered && id && { inReplyTo: id, references: [...answered.facts.references, id].join(' ') }),
  });
  return message as Buffer;
}
