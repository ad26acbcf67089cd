/** The pages of the webmail. */

import { baseStyle, htmlWith } from '../../http/pages/page.ts';
import { escapeHtml } from '../../mail/html/escape-html.ts';
import type { HttpResponse } from '../http-server.ts';
import { isAddress, type ProviderAccount } from './accounts.ts';
import { pageResponse } from './http.ts';
import { type MailFolder, mailFolders, type StoredMail } from './local-mailbox.ts';

export const isTypedAddress = isAddress;

const page = htmlWith(`${baseStyle}
main{max-width:52rem;margin:0 auto;padding:1.5rem 1.25rem 4rem;overflow-wrap:anywhere}
h1{margin:0 0 .5rem;font-size:1.5rem;line-height:1.25}
h2{margin:2rem 0 .5rem;font-size:1.125rem}
a{color:var(--accent)}
p{margin:0 0 1rem}
.soft{color:var(--soft)}
nav ul{display:flex;flex-wrap:wrap;gap:.25rem 1.25rem;margin:0 0 1rem;padding:0;list-style:none}
nav a{display:inline-block;padding:.5rem 0}
[aria-current]{font-weight:700;text-decoration:none}
.list{margin:0;padding:0;list-style:none;border:1px solid var(--line);border-radius:var(--radius);background:var(--page)}
.list li+li{border-top:1px solid var(--line)}
.list a{display:block;padding:.75rem 1rem;text-decoration:none}
.list small{display:block;color:var(--soft);font-size:.875rem}
dl{display:grid;grid-template-columns:auto 1fr;gap:.25rem 1rem;margin:0 0 1rem}
dt{color:var(--soft)}
dd{margin:0}
pre{margin:0 0 1.5rem;padding:1rem;border:1px solid var(--line);border-radius:var(--radius);background:var(--page);font:inherit;white-space:pre-wrap}
label{display:block;margin:0 0 1rem;font-weight:600}
input,textarea{display:block;width:100%;margin-top:.375rem;padding:.625rem .75rem;border:1px solid var(--field-line);border-radius:var(--radius);background:var(--page);color:var(--ink);font:inherit}
button{min-height:2.75rem;padding:.5rem 1.5rem;border:0;border-radius:var(--radius);background:var(--accent);color:var(--on-accent);font:inherit;font-weight:600;cursor:pointer}
.error{padding:.75rem 1rem;border:2px solid currentColor;border-radius:var(--radius);font-weight:600}
`);

/** @param body html */
function respond(statusCode: number, title: string, body: string): HttpResponse {
  return pageResponse(page(statusCode, { title, body }));
}

export function mailPath(address: string): string {
  return `/mail/${encodeURIComponent(address)}`;
}

const folderLabels: Readonly<Record<MailFolder, string>> = {
  inbox: 'Inbox',
  sent: 'Sent',
  drafts: 'Drafts',
  spam: 'Spam',
  trash: 'Trash',
};

/** @param query of a return address: what became of connecting a mailbox */
export function accountsPage(
  provider: string,
  accounts: readonly ProviderAccount[],
  query: URLSearchParams,
): HttpResponse {
  const outcome = [...query].map(
    ([name, value]) => `<dt>${escapeHtml(name)}</dt><dd>${escapeHtml(value)}</dd>`,
  );
  const items = accounts.map(
    ({ address, name }) =>
      `<li><a href="${mailPath(address)}">${escapeHtml(name)}<small>${escapeHtml(address)}</small></a></li>`,
  );
  return respond(
    200,
    `Mailboxes of the local ${provider}`,
    (outcome.length > 0
      ? `<h2>Returned with</h2><div role="status"><dl>${outcome.join('')}</dl></div>`
      : '') +
      `<ul class="list">${items.join('')}</ul>` +
      '<h2>New mailbox</h2><form method="post" action="/mail"><label>Address' +
      '<input type="email" name="address" required autocomplete="off"></label><button type="submit">Create</button></form>',
  );
}

function navigation(address: string, current: MailFolder | 'write' | null): string {
  const link = (name: MailFolder | 'write', path: string, label: string) =>
    `<li><a href="${path}"${name === current ? ' aria-current="page"' : ''}>${label}</a></li>`;
  const folders = mailFolders.map((name) =>
    link(name, `${mailPath(address)}?folder=${name}`, folderLabels[name]),
  );
  return (
    `<p class="soft">${escapeHtml(address)}</p><nav aria-label="Folders"><ul>${folders.join('')}` +
    `${link('write', `${mailPath(address)}/write`, 'Write')}<li><a href="/mail">Other mailboxes</a></li></ul></nav>`
  );
}

export function folderPage(
  provider: string,
  address: string,
  folder: MailFolder,
  mails: readonly StoredMail[],
): HttpResponse {
  const items = mails.map(({ id, facts, at }) => {
    const people = folder === 'sent' ? facts.to : facts.from;
    const path = `${mailPath(address)}/messages/${encodeURIComponent(id)}`;
    return `<li><a href="${path}">${escapeHtml(facts.subject || 'Without subject')}<small>${escapeHtml(people.join(', '))}, ${timeHtml(at)}</small></a></li>`;
  });
  const list = items.length > 0 ? `<ul class="list">${items.join('')}</ul>` : '<p>No messages.</p>';
  return respond(200, `${folderLabels[folder]}, ${provider}`, navigation(address, folder) + list);
}

function timeHtml(at: number): string {
  const iso = new Date(at).toISOString();
  return `<time datetime="${iso}">${iso.slice(0, 16).replace('T', ' ')} UTC</time>`;
}

export function messagePage(
  _provider: string,
  address: string,
  mail: StoredMail,
  text: string,
): HttpResponse {
  const { facts, id, at } = mail;
  const row = (name: string, values: readonly string[]) =>
    values.length > 0 ? `<dt>${name}</dt><dd>${escapeHtml(values.join(', '))}</dd>` : '';
  return respond(
    200,
    facts.subject || 'Without subject',
    `${navigation(address, null)}<dl>${row('From', facts.from)}${row('To', facts.to)}${row('Cc', facts.cc)}` +
      `<dt>Date</dt><dd>${timeHtml(at)}</dd></dl><pre>${escapeHtml(text)}</pre>` +
      `<h2>Reply</h2><form method="post" action="${mailPath(address)}/messages">` +
      `<input type="hidden" name="answers" value="${escapeHtml(id)}">` +
      `<label>To<input type="email" name="to" required value="${escapeHtml(facts.from[0] ?? '')}"></label>` +
      '<label>Text<textarea name="text" rows="6" required></textarea></label><button type="submit">Send reply</button></form>',
  );
}

export function writePage(
  provider: string,
  address: string,
  written: {
    readonly to: string;
    readonly subject: string;
    readonly text: string;
    readonly error: string;
  } | null,
): HttpResponse {
  const value = (text: string | undefined) => escapeHtml(text ?? '');
  return respond(
    written ? 400 : 200,
    `Write, ${provider}`,
    navigation(address, 'write') +
      (written ? `<p class="error" role="alert">${escapeHtml(written.error)}</p>` : '') +
      `<form method="post" action="${mailPath(address)}/messages">` +
      `<label>To<input type="email" name="to" required value="${value(written?.to)}"></label>` +
      `<label>Subject<input name="subject" value="${value(written?.subject)}"></label>` +
      `<label>Text<textarea name="text" rows="10" required>${value(written?.text)}</textarea></label>` +
      '<button type="submit">Send</button></form>',
  );
}

export function notFoundPage(provider: string): HttpResponse {
  return respond(
    404,
    'Not found',
    `<p>${escapeHtml(provider)} has no such mailbox or message.</p><p><a href="/mail">Mailboxes</a></p>`,
  );
}
