/** The JSON of people and their messages. */
import { type ParsedAttachment, showsRemotePictures } from '../../mail/index.ts';
import { wireMessageId } from '../ses/ids.ts';
import type { MailEvents } from './mail-events.ts';
import { linksOf } from './mail-links.ts';
import type { Entry, Person } from './people.ts';
import { type MailReader, textOf } from './read-mail.ts';

export interface ViewOptions {
  readonly reader: MailReader;
  readonly events: MailEvents;
}

const textCharactersMax = 200_000;
const subjectCharactersMax = 1_000;
const addressesMax = 400;

export async function presentPerson(person: Person, { reader, events }: ViewOptions) {
  const newest = person.entries.at(-1);
  return {
    address: person.address,
    name: person.name,
    messages: person.entries.length,
    unread: person.unread,
    newest: newest ? await presentEntry(newest, { reader, events }) : null,
  };
}

/** A message in a list. */
export async function presentEntry({ person, position, direction, at, mail }: Entry, options: ViewOptions) {
  return {
    id: String(position),
    person,
    direction,
    at: new Date(at).toISOString(),
    subject: mail.facts.subject.slice(0, subjectCharactersMax),
    from: mail.facts.from[0] ?? '',
    to: mail.facts.to.slice(0, 3),
    snippet: await options.reader.snippet(mail),
    state: mail.ses ? stateOf(options.events, mail.ses.id, person) : null,
  };
}

/** A message as it is read. */
export async function presentMessage(entry: Entry, { entries }: Person, options: ViewOptions) {
  const { mail, person } = entry;
  const { ses, facts } = mail;
  const message = await options.reader.parsed(mail);
  const text = textOf(message);
  const links = linksOf(message);
  return {
    ...(await presentEntry(entry, options)),
    from: message.from,
    reply_to: message.replyTo,
    to: message.to.slice(0, addressesMax),
    cc: message.cc.slice(0, addressesMax),
    message_id: facts.messageId,
    references: facts.references.slice(0, 100),
    bytes: mail.raw.length,
    text: text.slice(0, textCharactersMax),
    is_text_cut: text.length > textCharactersMax,
    has_html: message.html !== null,
    has_remote_pictures: showsRemotePictures(message.html ?? ''),
    headers: message.headers,
    files: message.attachments.map(presentFile),
    links: links.links,
    has_pixel: links.pixels.length > 0,
    unsubscribe: links.unsubscribe?.by ?? null,
    ses: ses && {
      id: ses.id,
      message_id: wireMessageId(ses.region, ses.id),
      region: ses.region,
      from: ses.from,
      return_path: ses.returnPath,
      recipients: ses.recipients,
      tags: ses.tags,
      configuration_set: ses.configurationSet,
      tenant: ses.tenant,
    },
    email_id: ses?.tags.email_id ?? answeredEmailId(entry, entries),
    events: ses
      ? options.events.of(ses.id, person).map((event) => ({ ...event, at: new Date(event.at).toISOString() }))
      : [],
  };
}

/** The email of the service that a person's message answers; null: none that the person received. */
function answeredEmailId({ mail: { facts } }: Entry, entries: readonly Entry[]): string | null {
  const cited = new Set(facts.references);
  const answered = entries.findLast(
    ({ mail }) => mail.ses && cited.has(wireMessageId(mail.ses.region, mail.ses.id)),
  );
  return answered?.mail.ses?.tags.email_id ?? null;
}

function presentFile(file: ParsedAttachment, index: number) {
  return {
    index,
    filename: file.filename,
    type: file.contentType,
    bytes: file.content.byteLength,
    inline: file.relatedToHtml,
  };
}

/** What became of a mail for a recipient; the worst of what its events tell. */
function stateOf(events: MailEvents, id: string, person: string): string {
  const types = new Set(events.of(id, person).map(({ type }) => type));
  if (types.has('COMPLAINT')) return 'complained';
  if (types.has('BOUNCE')) return 'bounced';
  if (types.has('REJECT')) return 'rejected';
  if (types.has('DELIVERY')) return 'delivered';
  return types.has('DELIVERY_DELAY') ? 'delayed' : 'sent';
}
