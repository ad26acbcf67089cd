/** The people of the local inbox, each with the mail of one mailbox: what was written to them, and what they wrote. */
import { addressParser, decodeWords } from 'postal-mime';
import { factsOf, type MailFacts } from '../mailbox-providers/mail-facts.ts';
import { valuesOf } from '../ses/headers.ts';
import type { SentMail } from '../ses/sent-mail.ts';

/** A message, which several people may have. */
export interface PostedMail {
  /** As it was delivered. */
  readonly raw: Buffer;
  readonly facts: MailFacts;
  /** The mail that SES accepted; null where it came another way. */
  readonly ses: SentMail | null;
}

export type Direction = 'received' | 'sent';

/** A message in a person's mailbox. */
export interface Entry {
  /** Increases with each message of the run; the id of the message, too. */
  readonly position: number;
  /** Unix milliseconds. */
  readonly at: number;
  readonly direction: Direction;
  /** In lower case. */
  readonly person: string;
  readonly mail: PostedMail;
}

export interface Person {
  readonly address: string;
  /** The last name that was given; empty: none. */
  readonly name: string;
  /** Oldest first. */
  readonly entries: readonly Entry[];
  readonly unread: number;
}

export interface People {
  /** Adds a message to the mailboxes of people. */
  add(mail: PostedMail, to: { readonly people: readonly string[]; readonly direction: Direction }): void;
  /** Those with the newest message first. */
  list(): readonly Person[];
  find(address: string): Person | undefined;
  markRead(address: string): void;
}

export interface PeopleOptions {
  readonly now: () => number;
  /** Called with each message that is added. */
  readonly onAdded: (entry: Entry) => void;
  /** The oldest messages beyond these numbers are dropped. */
  readonly messagesMax?: number;
  readonly bytesMax?: number;
}

interface Mailbox {
  readonly address: string;
  name: string;
  readonly entries: Entry[];
  unread: number;
}

const messagesMaxDefault = 20_000;
const bytesMaxDefault = 256 * 1024 * 1024;
const nameCharactersMax = 200;

export function createPeople(options: PeopleOptions): People {
  const { now, onAdded, messagesMax = messagesMaxDefault, bytesMax = bytesMaxDefault } = options;
  /** The one with the newest message last. */
  const mailboxes = new Map<string, Mailbox>();
  /** Messages by position, oldest first, each with its share of the bytes. */
  const shares = new Map<Entry, number>();
  let bytes = 0;
  let position = 0;

  const dropOldest = () => {
    const [oldest] = shares;
    if (!oldest) return;
    const [entry, share] = oldest;
    shares.delete(entry);
    bytes -= share;
    const mailbox = mailboxes.get(entry.person);
    if (!mailbox) return;
    // The oldest of all is the oldest of its mailbox.
    mailbox.entries.shift();
    mailbox.unread = Math.min(mailbox.unread, mailbox.entries.length);
    if (mailbox.entries.length === 0) mailboxes.delete(entry.person);
  };

  const put = (entry: Entry, name: string, share: number) => {
    const { person: address } = entry;
    const mailbox = mailboxes.get(address) ?? { address, name: '', entries: [], unread: 0 };
    mailboxes.delete(address);
    mailboxes.set(address, mailbox);
    mailbox.entries.push(entry);
    if (name !== '') mailbox.name = name;
    if (entry.direction === 'received') mailbox.unread += 1;
    shares.set(entry, share);
    bytes += share;
    while (shares.size > 1 && (shares.size > messagesMax || bytes > bytesMax)) dropOldest();
    onAdded(entry);
  };

  return {
    add(mail, { people, direction }) {
      const names = namesOf(mail.facts, direction);
      const addresses = new Set(people.map((address) => address.toLowerCase()));
      for (const person of addresses) {
        position += 1;
        const entry = { position, at: now(), direction, person, mail };
        put(entry, names.get(person) ?? '', mail.raw.length / addresses.size);
      }
    },
    list: () => [...mailboxes.values()].reverse(),
    find: (address) => mailboxes.get(address.toLowerCase()),
    markRead(address) {
      const mailbox = mailboxes.get(address.toLowerCase());
      if (mailbox) mailbox.unread = 0;
    },
  };
}

export function postedMail(raw: Buffer, ses: SentMail | null = null): PostedMail {
  return { raw, facts: factsOf(raw), ses };
}

/** The display names by address: of the recipients of received mail, of the authors of sent mail. */
function namesOf({ fields }: MailFacts, direction: Direction): ReadonlyMap<string, string> {
  const fieldNames = direction === 'received' ? ['to', 'cc'] : ['from'];
  const entries = fieldNames
    .flatMap((name) => valuesOf(fields, name))
    .flatMap((value) => addressParser(value, { flatten: true }));
  return new Map(
    entries.flatMap(({ address, name }) =>
      address ? [[address.toLowerCase(), decodeWords(name ?? '').slice(0, nameCharactersMax)]] : [],
    ),
  );
}
