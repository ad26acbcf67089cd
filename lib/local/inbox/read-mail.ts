/** Parsed messages of the local inbox: each is parsed once while it is looked at. */
import { type ParsedMessage, parseMime, snippet, textOfHtml } from '../../mail/index.ts';
import type { PostedMail } from './people.ts';

export interface MailReader {
  parsed(mail: PostedMail): Promise<ParsedMessage>;
  /** The beginning of the text, for lists; kept for each message. */
  snippet(mail: PostedMail): Promise<string>;
}

/** Parsed messages that are kept; one may have megabytes. */
const keptMax = 50;
/** A longer message has no beginning in lists, unless it was read: a page of a list may not take seconds. */
const snippetBytesMax = 1024 * 1024;

export function createMailReader(): MailReader {
  /** The one that was read last is the last. */
  const kept = new Map<PostedMail, Promise<ParsedMessage>>();
  const snippets = new WeakMap<PostedMail, string>();

  const parsed = (mail: PostedMail): Promise<ParsedMessage> => {
    const message = kept.get(mail) ?? parseMime(mail.raw);
    kept.delete(mail);
    kept.set(mail, message);
    const [oldest] = kept.keys();
    if (kept.size > keptMax && oldest) kept.delete(oldest);
    return message;
  };

  return {
    parsed,
    async snippet(mail) {
      const known = snippets.get(mail);
      if (known !== undefined) return known;
      if (mail.raw.length > snippetBytesMax && !kept.has(mail)) return '';
      const text = snippet(textOf(await parsed(mail)));
      snippets.set(mail, text);
      return text;
    },
  };
}

/** The text of a message, made of its html where it has none. */
export function textOf({ text, html }: Pick<ParsedMessage, 'text' | 'html'>): string {
  return text ?? (html === null ? '' : textOfHtml(html));
}
