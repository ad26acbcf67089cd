/** What the people of the local inbox do with mail but write: bounce, complain, open, click, unsubscribe. */
import { ControlError, fail } from '../control-route.ts';
import type { LateOutcome } from '../ses/delivery.ts';
import type { SentMail } from '../ses/sent-mail.ts';
import type { Correspondence, Draft } from './correspondence.ts';
import { type FetchedLink, fetchLink, linksOf } from './mail-links.ts';
import type { Entry } from './people.ts';
import type { Delivered } from './post.ts';
import type { MailReader } from './read-mail.ts';

export interface ReactionsOptions {
  /** Of the local API. */
  readonly apiPort: number;
  readonly reader: MailReader;
  readonly write: Correspondence['write'];
  readonly reportLate: (mail: SentMail, outcome: LateOutcome, recipient: string) => void;
}

export type Reactions = ReturnType<typeof createReactions>;

const gmailProxy =
  'Mozilla/5.0 (Windows NT 5.1; rv:11.0) Gecko Firefox/11.0 (via ggpht.com GoogleImageProxy)';
const browser =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36';

/** Errors are ControlErrors: 409 where the message has not what the action needs. */
export function createReactions({ apiPort, reader, write, reportLate }: ReactionsOptions) {
  return {
    /** Reports a bounce or a complaint of the person. */
    report(entry: Entry, outcome: LateOutcome): void {
      const { ses } = entry.mail;
      if (!ses) fail(409, 'SES did not send this message: nothing can be reported about it');
      reportLate(ses, outcome, recipientIn(ses, entry.person));
    },

    /** Loads the pixels, as Gmail's proxy does when a person opens the message. */
    async open(entry: Entry): Promise<readonly FetchedLink[]> {
      const { pixels } = linksOf(await reader.parsed(entry.mail));
      if (pixels.length === 0) fail(409, 'the message has no open-tracking pixel');
      const how = { method: 'GET', userAgent: gmailProxy, body: '' } as const;
      return await Promise.all([...new Set(pixels)].slice(0, 5).map((url) => fetchLink(apiPort, url, how)));
    },

    /** Follows a tracked link to its redirect, which is not followed. @param url null: the first one */
    async click(entry: Entry, url: string | null): Promise<FetchedLink> {
      const tracked = linksOf(await reader.parsed(entry.mail)).links.filter(({ isTracked }) => isTracked);
      const link = tracked.find((one) => url === null || one.url === url);
      if (!link) throw new ControlError(409, 'the message has no such tracked link');
      return await fetchLink(apiPort, link.url, { method: 'GET', userAgent: browser, body: '' });
    },

    /** Unsubscribes with one click as Gmail does (RFC 8058), or by mail. */
    async unsubscribe(entry: Entry): Promise<FetchedLink | Delivered> {
      const { unsubscribe } = linksOf(await reader.parsed(entry.mail));
      if (!unsubscribe) throw new ControlError(409, 'the message cannot be unsubscribed from');
      if (unsubscribe.by === 'post') {
        const body = 'List-Unsubscribe=One-Click';
        return await fetchLink(apiPort, unsubscribe.url, { method: 'POST', userAgent: 'Google-Gmail', body });
      }
      const { address, subject } = unsubscribe;
      const draft: Draft = {
        ...{ name: '', to: [address], cc: [], subject, text: 'unsubscribe' },
        ...{ style: 'gmail', files: [], verdicts: 'pass' },
      };
      return await write(entry.person, draft);
    },
  };
}

/** The recipient of a mail as SES was given it. */
function recipientIn({ recipients }: SentMail, person: string): string {
  return recipients.find((address) => address.toLowerCase() === person) ?? person;
}
