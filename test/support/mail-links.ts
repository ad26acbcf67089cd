/** Sent mail as a recipient's program reads it: bodies, headers, and our links in them. */
import PostalMime from 'postal-mime';
import { cloud } from './cloud.ts';

export interface ReadMail {
  readonly html: string;
  readonly text: string;
  /** Lower-case names; unfolded. */
  readonly headers: Readonly<Record<string, string>>;
  readonly recipients: readonly string[];
}

/** Mail from `from` to `to`, oldest first. */
export async function mailTo(to: string, from: string): Promise<ReadMail[]> {
  const sent = (await cloud().sentTo(to)).filter((mail) => mail.from === from);
  return await Promise.all(
    sent.map(async ({ id, recipients }) => {
      const { html = '', text = '', headers } = await PostalMime.parse((await cloud().sent(id)).wire);
      const entries = headers.map(({ key, value }) => [key, value]);
      return { html, text, headers: Object.fromEntries(entries), recipients };
    }),
  );
}

/** The only mail from `from` to `to`. */
export async function onlyMailTo(to: string, from: string): Promise<ReadMail> {
  const [mail, ...more] = await mailTo(to, from);
  if (!mail || more.length > 0) throw new Error(`${mail ? more.length + 1 : 0} mails from ${from} to ${to}`);
  return mail;
}

/** The first link under `path` in a body or header. */
export function linkIn(text: string, path: '/u/' | '/t/o/' | '/t/c/'): string {
  const [link] = new RegExp(`https?://[^/\\s]+${path}[\\w-]+`).exec(text) ?? [];
  if (!link) throw new Error(`no link to ${path} in: ${text}`);
  return link;
}
