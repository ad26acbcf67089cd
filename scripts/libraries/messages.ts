/** What libraries that parse messages read in the messages of the mail-parser project. */
import { type Field, simpleParser } from 'mailparser';
import PostalMime, { type Address as PostalAddress } from 'postal-mime';
import { type Comparison, compareStructure, type Mailbox, structureOf } from '../corpus/structure.ts';
import { readingOnly } from './time.ts';

/** Each library's comparisons, by its name. */
export async function compareMessages(): Promise<ReadonlyMap<string, readonly Comparison[]>> {
  return new Map([
    ['`parseMime`', await compareStructure()],
    ['mailparser', await compareStructure(readMailparser)],
    ['postal-mime', await compareStructure(readPostalMime)],
  ]);
}

async function readMailparser(raw: Buffer) {
  const { subject, from, to, cc, text, attachments } = await simpleParser(raw, readingOnly);
  const mailboxes = (field: Field | readonly Field[] | undefined): Mailbox[] =>
    [field ?? []].flat().flatMap(({ value }) => value.flatMap((one) => one.group ?? one));
  const types = attachments.map(({ contentType }) => contentType);
  return structureOf({ subject, from: mailboxes(from), to: mailboxes(to), cc: mailboxes(cc), text, types });
}

async function readPostalMime(raw: Buffer) {
  const { subject, from, to, cc, text, attachments } = await new PostalMime().parse(raw);
  const mailboxes = (list: readonly PostalAddress[] | undefined): Mailbox[] =>
    (list ?? []).flatMap((one) => one.group ?? one);
  const types = attachments.map(({ mimeType }) => mimeType);
  return structureOf({
    subject,
    from: mailboxes(from && [from]),
    to: mailboxes(to),
    cc: mailboxes(cc),
    text,
    types,
  });
}
