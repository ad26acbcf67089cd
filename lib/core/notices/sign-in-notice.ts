/** The mail with links to the console (docs/concepts/members.md#signing-in). */
import { escapeHtml } from '../../mail/html/escape-html.ts';
import type { Notice } from './notice.ts';

export interface SignInMail {
  readonly requestId: string;
  /** Name of the service. */
  readonly brand: string;
  /** When the links were asked for. Unix milliseconds. */
  readonly at: number;
  /** Name of a workspace, with its link. */
  readonly links: readonly { readonly workspace: string; readonly url: string }[];
}

const minute = 60_000;

export function signInNotice({ requestId, brand, at, links }: SignInMail): Notice {
  const time = `${new Date(Math.floor(at / minute) * minute).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
  const asked = `Somebody asked for ${links.length === 1 ? 'a link' : 'links'} to sign in to ${brand} with this address, at ${time}.`;
  const use = 'A link works once, within 15 minutes.';
  const ignore = 'If it was not you, ignore this mail: without the link nobody gets in. Do not forward it.';
  return {
    id: `sign-in.${requestId}`,
    subject: `Sign in to ${brand}`,
    lines: [asked, use, '', ...links.flatMap(({ workspace, url }) => [`${workspace}:`, url, '']), ignore],
    html: htmlOf([asked, use], links, ignore),
  };
}

function htmlOf(before: readonly string[], links: SignInMail['links'], after: string): string {
  const paragraph = (text: string) => `<p>${escapeHtml(text)}</p>`;
  const button = ({ workspace, url }: SignInMail['links'][number]) =>
    `<p><a href="${escapeHtml(url)}" style="${buttonStyle}">Sign in to ${escapeHtml(workspace)}</a></p>`;
  return [
    '<!doctype html><html lang="en"><body style="font:16px/1.5 system-ui,sans-serif;max-width:36em">',
    ...before.map(paragraph),
    ...links.map(button),
    paragraph(after),
    '</body></html>',
  ].join('\n');
}

const buttonStyle =
  'display:inline-block;padding:10px 16px;border-radius:6px;background:#1d4ed8;color:#ffffff;text-decoration:none';
