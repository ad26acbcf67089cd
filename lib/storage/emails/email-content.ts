/** Content of emails: in the table up to 4 KB compressed, above that in the content bucket (docs/decisions/0021-content-in-the-bucket.md). */
import { findObject, getObject, type ObjectRef, putObject } from '../../adapters/objects.ts';
import type { EmailContent } from '../../core/emails/email.ts';
import { noVerdicts } from '../../core/emails/email.ts';
import type { AttachmentId, EmailId, WorkspaceId } from '../../core/ids.ts';
import { env } from '../../env.ts';
import { bytes, CorruptItem, codec, nullable, text } from '../table/codec.ts';
import { compress, decompress } from '../table/compressed-text.ts';
import { contentKey } from '../table/keys.ts';
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
}

const contentCodec = codec<StoredContent>('email content', { json: nullable(text), brotli: nullable(bytes) });

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

function encodeContent(content: EmailContent): Buffer {
  const parts = Object.entries(content).filter((part) => !isEmpty(part));
  return Buffer.from(JSON.stringify(Object.fromEntries(parts)));
}

/** Written by `encodeContent` alone; a schema for content of megabytes would double the time of each read. */
function decodeContent(json: string): EmailContent {
  return { ...emptyContent, ...JSON.parse(json) } as EmailContent;
}

/** The JSON of a content item. @throws CorruptItem */
export function contentJson(item: Item): string {
  const { json, brotli } = contentCodec.decode(item);
  if (json !== null) return json;
  if (brotli === null) throw new CorruptItem('email content', 'json', 'there');
  return decompress(brotli);
}

/** The beginning of the keys of all objects of a workspace's emails. */
export const contentPrefix = (workspaceId: WorkspaceId): ObjectRef => ({
  bucket: env().CONTENT_BUCKET,
  key: `w/${workspaceId}/`,
});

/** The object of content that is not in the table. */
export const contentObject = (workspaceId: WorkspaceId, id: EmailId): ObjectRef => ({
  bucket: env().CONTENT_BUCKET,
  key: `w/${workspaceId}/e/${id}/content.json`,
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
 * The write that stores content in the transaction of its email, for one that replaces the content of a draft; null where
 * the bucket holds it, which it does when this returns.
 */
export async function contentWrite(
  workspaceId: WorkspaceId,
  id: EmailId,
  content: EmailContent,
): Promise<{ readonly as: string; readonly put: Item } | null> {
  const json = encodeContent(content);
  const inline = inlineContent(json);
  if (inline) {
    return { as: 'content', put: { ...contentKey(workspaceId, id), ...contentCodec.encode(inline) } };
  }
  await putObject(contentObject(workspaceId, id), json, 'application/json');
  return null;
}

/** The same ahead of the transaction. @param write as `contentWrite` returns it */
export function contentAhead(write: Awaited<ReturnType<typeof contentWrite>>): Write[] {
  return write ? [{ ...write, ...ahead }] : [];
}

/** How content is stored in the table; null where it is too large. */
function inlineContent(json: Buffer): StoredContent | null {
  const brotli = compress(json);
  if ((brotli ?? json).length > inlineBytesMax) return null;
  return brotli ? { json: null, brotli } : { json: json.toString(), brotli: null };
}

/** The content of an email that exists. @param json its content item's JSON; null where the bucket holds it */
export async function loadContent(
  workspaceId: WorkspaceId,
  id: EmailId,
  json: string | null,
): Promise<EmailContent> {
  return decodeContent(json ?? (await getObject(contentObject(workspaceId, id))).toString());
}

/** As `loadContent`; null where the bucket has no content of the email. */
export async function findContent(
  workspaceId: WorkspaceId,
  id: EmailId,
  json: string | null,
): Promise<EmailContent | null> {
  const stored = json ?? (await findObject(contentObject(workspaceId, id)))?.toString();
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
