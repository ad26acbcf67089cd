/** What the people of the local inbox write: new messages, answers, automatic replies. */
import { type Address, type ParsedMessage, replySubject } from '../../mail/index.ts';
import { fail } from '../control-route.ts';
import type { Entry } from './people.ts';
import type { Delivered, Post } from './post.ts';
import { answerBody, type QuoteStyle } from './quotes.ts';
import { type MailReader, textOf } from './read-mail.ts';
import { composed, type WrittenFile } from './written-mail.ts';

export interface CorrespondenceOptions {
  readonly now: () => number;
  readonly reader: MailReader;
  readonly post: Post;
}

/** A message to write, and how SES is to judge it. */
export interface Draft {
  /** The person's name; empty: none. */
  readonly name: string;
  readonly to: readonly string[];
  readonly cc: readonly string[];
  readonly subject: string;
  readonly text: string;
  readonly style: QuoteStyle;
  readonly files: readonly WrittenFile[];
  readonly verdicts: 'pass' | 'none' | 'spam';
}

export interface Answer extends Pick<Draft, 'name' | 'text' | 'style' | 'files' | 'verdicts'> {
  readonly all: boolean;
  /** Whether the answered message is quoted below. */
  readonly quote: boolean;
}

export type Correspondence = ReturnType<typeof createCorrespondence>;

/** Address lists and references longer than these are cut: a hostile message must be answerable. */
const recipientsMax = 100;
const referencesMax = 50;

export function createCorrespondence({ now, reader, post }: CorrespondenceOptions) {
  const send = async (raw: Buffer, from: string, recipients: readonly string[], isAuthenticated: boolean) =>
    post.deliver({
      from,
      recipients: [...new Set(recipients)],
      raw,
      isAuthenticated,
      remoteAddress: '127.0.0.1',
      hostName: 'inbox.local',
    });

  const write = async (person: string, draft: Draft, references: readonly string[], html: string | null) => {
    const headers: Record<string, string> =
      draft.verdicts === 'spam' ? { 'X-Local-Spam-Verdict': 'FAIL' } : {};
    const from = { name: draft.name, address: person };
    const raw = await composed({ ...draft, from, html, references, headers }, now());
    return await send(raw, person, [...draft.to, ...draft.cc], draft.verdicts !== 'none');
  };

  return {
    write: (person: string, draft: Draft): Promise<Delivered> => write(person, draft, [], null),

    async answer(entry: Entry, answer: Answer): Promise<Delivered> {
      const message = await reader.parsed(entry.mail);
      const { to, cc } = recipientsOf(entry, message, answer.all);
      if (to.length === 0) fail(422, 'the message names nobody who could be answered');
      const body = answer.quote ? answerBody(answer.style, answer.text, quoted(entry, message)) : null;
      const draft = {
        ...answer,
        to,
        cc,
        subject: replySubject(message.subject),
        text: body?.text ?? answer.text,
      };
      return await write(entry.person, draft, referencesOf(message), body?.html ?? null);
    },

    /** Answers as an out-of-office program does (RFC 3834). */
    async autoReply(entry: Entry, text: string): Promise<Delivered> {
      const message = await reader.parsed(entry.mail);
      const [to] = recipientsOf(entry, message, false).to;
      if (to === undefined) fail(422, 'the message names nobody who could be answered');
      const raw = await composed(
        {
          ...{ from: { name: '', address: entry.person }, to: [to], cc: [], html: null, files: [] },
          subject: `Automatic reply: ${message.subject}`,
          text,
          references: referencesOf(message),
          style: 'outlook',
          headers: {
            'Auto-Submitted': 'auto-replied',
            'X-Auto-Response-Suppress': 'All',
            Precedence: 'auto_reply',
          },
        },
        now(),
      );
      // The envelope has no sender, so that nothing answers an answer.
      return await send(raw, '', [to], true);
    },
  };
}

function referencesOf({ references, inReplyTo, messageId }: ParsedMessage): string[] {
  const earlier = references.length > 0 ? references : inReplyTo;
  const ids = [...new Set([...earlier, ...(messageId ? [messageId] : [])])];
  return ids.slice(-referencesMax);
}

/** Whom an answer goes to: of a message that the person sent, those that it was sent to. */
function recipientsOf(entry: Entry, message: ParsedMessage, all: boolean) {
  const others = (addresses: readonly (Address | null)[]) =>
    addresses.flatMap((one) => (one && one.address.toLowerCase() !== entry.person ? [one.address] : []));
  if (entry.direction === 'sent')
    return { to: others(message.to).slice(0, recipientsMax), cc: others(message.cc) };
  const direct = message.replyTo.length > 0 ? message.replyTo : [message.from];
  const to = others(all ? [...direct, ...message.to] : direct);
  return {
    to: [...new Set(to)].slice(0, recipientsMax),
    cc: all ? [...new Set(others(message.cc))].slice(0, recipientsMax) : [],
  };
}

function quoted(entry: Entry, message: ParsedMessage) {
  const mailbox = (one: Address | null) => ({ name: one?.name ?? '', address: one?.address ?? '' });
  return {
    from: mailbox(message.from),
    to: message.to.slice(0, recipientsMax).map(mailbox),
    cc: message.cc.slice(0, recipientsMax).map(mailbox),
    at: message.date ?? entry.at,
    subject: message.subject,
    text: textOf(message),
    html: message.html,
  };
}
