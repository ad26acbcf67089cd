/** Compares parsed messages with the expectations of the mail-parser project, in JSON beside each message. */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import * as z from 'zod';
import { parseMime } from '../../lib/mail/message/parse-mime.ts';
import { corpus, messagesUnder } from './files.ts';

export const aspects = ['subject', 'from', 'to', 'cc', 'text', 'attachments'] as const;
export type Aspect = (typeof aspects)[number];

export interface Comparison {
  readonly file: string;
  readonly folder: string;
  readonly aspect: Aspect;
  readonly expected: string;
  readonly found: string;
}

const mailbox = z.object({ name: z.string().nullable(), address: z.string().nullable() });
const addressValue = z.object({
  Address: z.union([
    z.object({ List: z.array(mailbox) }).transform(({ List }) => List),
    z
      .object({ Group: z.array(z.object({ addresses: z.array(mailbox) })) })
      .transform(({ Group }) => Group.flatMap(({ addresses }) => addresses)),
  ]),
});
const textValue = z.object({ Text: z.string() });
const typeValue = z.object({
  ContentType: z.object({ c_type: z.string(), c_subtype: z.string().nullable() }),
});
const part = z.object({
  headers: z.array(z.object({ name: z.unknown(), value: z.unknown() })),
  body: z.unknown(),
});
const reading = z.object({
  text_body: z.array(z.number()),
  attachments: z.array(z.number()),
  parts: z.array(part),
});

/** What a reader makes of a message. */
export type StructureReader = (raw: Buffer) => Promise<Record<Aspect, string>>;

/** The expectations of the mail-parser project, and what a reader, ours by default, makes of the messages. */
export async function compareStructure(read: StructureReader = readOurs): Promise<Comparison[]> {
  const found = await Promise.all(
    messagesUnder('mime/stalwart').map(async (file) => {
      const json = readFileSync(join(corpus, file.replace(/eml$/, 'json')), 'utf8');
      const expected = expectationOf(reading.parse(JSON.parse(json)));
      const found = await read(readFileSync(join(corpus, file)));
      return aspects.map((aspect) => ({
        file,
        folder: dirname(file),
        aspect,
        expected: expected[aspect],
        found: found[aspect],
      }));
    }),
  );
  return found.flat();
}

export function agrees({ expected, found }: Pick<Comparison, 'expected' | 'found'>): boolean {
  return expected === found;
}

function expectationOf({ parts, text_body, attachments }: z.infer<typeof reading>): Record<Aspect, string> {
  const field = (name: string) => parts[0]?.headers.findLast((header) => header.name === name)?.value;
  const addresses = (name: string) =>
    (addressValue.safeParse(field(name)).data?.Address ?? []).map(one).join(', ');
  const types = attachments.map((index) => {
    const value = parts[index]?.headers.findLast(({ name }) => name === 'content_type')?.value;
    const type = typeValue.safeParse(value).data?.ContentType;
    return type?.c_subtype ? `${type.c_type}/${type.c_subtype}`.toLowerCase() : 'unnamed';
  });
  return {
    subject: textValue.safeParse(field('subject')).data?.Text ?? '',
    from: addresses('from'),
    to: addresses('to'),
    cc: addresses('cc'),
    text: collapseWhitespace(
      text_body.map((index) => textValue.safeParse(parts[index]?.body).data?.Text ?? '').join('\n'),
    ),
    attachments: types.join(', '),
  };
}

export interface Mailbox {
  readonly name?: string | null | undefined;
  readonly address?: string | null | undefined;
}

/** The parts of a message, as they are compared. */
export function structureOf(message: {
  readonly subject: string | undefined;
  readonly from: readonly Mailbox[];
  readonly to: readonly Mailbox[];
  readonly cc: readonly Mailbox[];
  readonly text: string | null | undefined;
  readonly types: readonly string[];
}): Record<Aspect, string> {
  return {
    subject: message.subject ?? '',
    from: message.from.map(one).join(', '),
    to: message.to.map(one).join(', '),
    cc: message.cc.map(one).join(', '),
    text: collapseWhitespace(message.text ?? ''),
    attachments: message.types.join(', '),
  };
}

async function readOurs(raw: Buffer): Promise<Record<Aspect, string>> {
  const message = await parseMime(raw);
  const types = message.attachments.map(({ contentType }) => contentType);
  return structureOf({ ...message, from: message.from === null ? [] : [message.from], types });
}

function one({ name, address }: Mailbox): string {
  return `${name ?? ''} <${address ?? ''}>`;
}

function collapseWhitespace(text: string): string {
  return text.replace(/[\s\0]+/g, ' ').trim();
}
