/** Content of emails: in the table up to 4 KB compressed, above that in the content bucket (docs/decisions/0021-content-in-the-bucket.md). */
import type { ObjectRef } from '../../adapters/object-addresses.ts';
import { findObject, getObject, putObject } from '../../adapters/objects.ts';
import type { EmailContent } from '../../core/emails/email.ts';
import { noVerdicts } from '../../core/emails/email.ts';
import type { AttachmentId, EmailId, WorkspaceId } from '../../core/ids.ts';
import { env } from '../../env.ts';
import { bytes, CorruptItem, codec, nullable, text } from '../table/codec.ts';
import { compress, decompress } from '../table/compressed-text.ts';
import * as keys from '../table/keys.ts';
import { type Item, put } from '../table/table.ts';
import { ahead, type Write } from '../table/transactions.ts';

/** Compressed bytes above which content goes to the bucket. */
const inlineBytesMax = 4000;

/** Content is read and written whole, so it is one JSON string in the item as in the object. */
interface StoredContent {
  /** Where it is not compressed. */
  readonly json: string | null;
  /** The JSON, compressed. */
  readonly brotli: Uint8Array | null;
  /** The name of an object of its own in the bucket, where content of the email was replaced. */
  readonly object: string | null;
}

const contentCodec = codec<StoredContent>('email content', {
  json: nullable(text),
  brotli: nullable(bytes),
  object: nullable(text),
});

/** What most emails lack is not stored: it would cost most of them a write unit. */
const emptyContent: EmailContent = {
  cc: [],
  bcc: [],
  replyTo: [],
  html: null,
  text: null,
  strippedText: null,
  strippedHtml: null,
  segments: [],
  references: [],
  headers: [],
  attachments: [],
  verdicts: noVerdicts,
};

function isEmpty([, value]: [string, unknown]): boolean {
  return value === null || value === noVerdicts || (Array.isArray(value) && value.length === 0);
}

export function encodeContent(content: EmailContent): Buffer {
  const parts = Object.entries(content).filter((part) => !isEmpty(part));
  return Buffer.from(JSON.stringify(Object.fromEntries(parts)));
}

/** Written by `encodeContent` alone; a schema for content of megabytes would double the time of each read. */
function decodeContent(json: string): EmailContent {
  return { ...emptyContent, ...JSON.parse(json) } as EmailContent;
}

/** Where the content of an email is: its JSON, or its object. @param item null: in the object that content has once */
function placeOf(workspaceId: WorkspaceId, id: EmailId, item: Item | null): string | ObjectRef {
  if (!item) return contentObject(workspaceId, id);
  const { json, brotli, object } = contentCodec.decode(item);
  if (json !== null) return json;
  if (brotli !== null) return decompress(brotli);
  if (object === null) throw new CorruptItem('email content', 'json', 'there');
  return replacedObject(workspaceId, id, object);
}

/** The beginning of the keys of all objects of a workspace's emails. */
export const contentPrefix = (workspaceId: WorkspaceId): ObjectRef => ({
  bucket: env().CONTENT_BUCKET,
  key: `w/${workspaceId}/`,
});

/** The beginning of the keys of the objects of an email. */
export const emailPrefix = (workspaceId: WorkspaceId, id: EmailId): ObjectRef => ({
  bucket: env().CONTENT_BUCKET,
  key: `w/${workspaceId}/e/${id}/`,
});

/** The object of content that is not in the table. */
export const contentObject = (workspaceId: WorkspaceId, id: EmailId): ObjectRef => ({
  bucket: env().CONTENT_BUCKET,
  key: `w/${workspaceId}/e/${id}/content.json`,
});

/** The object of content that may be replaced. */
export const replacedObject = (workspaceId: WorkspaceId, id: EmailId, name: string): ObjectRef => ({
  bucket: env().CONTENT_BUCKET,
  key: `w/${workspaceId}/e/${id}/content/${name}.json`,
});

/**
 * Stores the content of a new email ahead of its transaction (docs/decisions/0055-entries-ahead-of-transactions.md). If
 * the transaction fails, it stays behind, and nothing refers to it.
 */
export async function storeContent(
  workspaceId: WorkspaceId,
  id: EmailId,
  content: EmailContent,
): Promise<void> {
  const write = await contentWrite(workspaceId, id, content);
  if (write) await put(write.put);
}

/**
 * The write that stores content in the transaction of its email; null where the bucket holds it, which it does when this
 * returns.
 */
export async function contentWrite(
  workspaceId: WorkspaceId,
  id: EmailId,
  content: EmailContent,
): Promise<ContentWrite | null> {
  const json = encodeContent(content);
  const inline = inlineContent(json);
  if (inline) return writeOf(workspaceId, id, inline);
  await putObject(contentObject(workspaceId, id), json, 'application/json');
  return null;
}

export interface ContentWrite {
  readonly as: string;
  readonly put: Item;
}

export const writeOf = (workspaceId: WorkspaceId, id: EmailId, content: StoredContent): ContentWrite => ({
  as: 'content',
  put: { ...keys.contentKey(workspaceId, id), ...contentCodec.encode(content) },
});

/** The same ahead of the transaction. @param write as `contentWrite` returns it */
export function contentAhead(write: ContentWrite | null): Write[] {
  return write ? [{ ...write, ...ahead }] : [];
}

/** How content is stored in the table; null where it is too large. */
export function inlineContent(json: Buffer): StoredContent | null {
  const brotli = compress(json);
  if ((brotli ?? json).length > inlineBytesMax) return null;
  return brotli
    ? { json: null, brotli, object: null }
    : { json: json.toString(), brotli: null, object: null };
}

/** The content of an email that exists. @param item its content item; null where it has none */
export async function loadContent(
  workspaceId: WorkspaceId,
  id: EmailId,
  item: Item | null,
): Promise<EmailContent> {
  const place = placeOf(workspaceId, id, item);
  return decodeContent(typeof place === 'string' ? place : (await getObject(place)).toString());
}

/** As `loadContent`; null where the bucket has no content of the email. */
export async function findContent(
  workspaceId: WorkspaceId,
  id: EmailId,
  item: Item | null,
): Promise<EmailContent | null> {
  const place = placeOf(workspaceId, id, item);
  const stored = typeof place === 'string' ? place : (await findObject(place))?.toString();
  return stored === undefined ? null : decodeContent(stored);
}

/** The object of a message of a mailbox as it was received. Mail that SES receives is in the raw-mail buckets. */
export function rawMessageObject(
  workspaceId: WorkspaceId,
  id: EmailId,
): ObjectRef & { readonly region: string } {
  return { bucket: env().CONTENT_BUCKET, key: `w/${workspaceId}/e/${id}/raw.eml`, region: env().HOME_REGION };
}

/** The object of an attachment. */
export function attachmentObject(workspaceId: WorkspaceId, emailId: EmailId, id: AttachmentId): ObjectRef {
  return { bucket: env().CONTENT_BUCKET, key: `w/${workspaceId}/e/${emailId}/a/${id}` };
}
