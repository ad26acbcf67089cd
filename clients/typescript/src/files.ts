/** Attachments of a send: read from every form of a file, then put into the request, or uploaded where they are too large for it. */
import { InvalidArgumentError, ParleyError } from './errors.ts';
import { mediaTypeOf } from './media-types.ts';
import { AttachmentsTooLargeError } from './problems.ts';
import { nodeModule } from './runtime.ts';
import type { AttachmentReference, InlineAttachment } from './types.ts';

/** The bytes of a file. A string is base64 or a data URL; a `Response` is one of `fetch`. */
export type FileContent =
  | string
  | Uint8Array
  | ArrayBuffer
  | Blob
  | Response
  | ReadableStream<Uint8Array>
  | AsyncIterable<Uint8Array | string>;

/** A file with its bytes. */
export interface FileAttachment {
  /** 1 to 255 characters without slashes. Default: the name of a `File`. */
  readonly filename?: string | undefined;
  readonly content: FileContent;
  /** Default: the type of a `Blob` or `Response`, then by the content, then by the name. */
  readonly content_type?: string | undefined;
  /** Content-ID of a picture that the html shows by `cid:`. */
  readonly cid?: string | undefined;
}

/** A file on this machine: Node, Bun and Deno. */
export interface PathAttachment {
  readonly path: string | URL;
  /** Default: the last part of the path. */
  readonly filename?: string | undefined;
  readonly content_type?: string | undefined;
  readonly cid?: string | undefined;
}

/** An attachment in every form that a send, reply or forward takes. */
export type AttachmentInput = InlineAttachment | AttachmentReference | FileAttachment | PathAttachment | Blob;

/** All files of an email (docs/concepts/attachments.md#total-size). */
export const fileBytesMax = 26_214_400;

/** Bytes of a request with its files: below the 6 MB that Lambda takes, with room for quotes that are escaped. */
const requestBytesMax = 4_000_000;

/** A file whose bytes are in memory. */
export interface LoadedFile {
  readonly filename: string;
  /** undefined: the service detects it, or for an upload the name says it. */
  readonly contentType: string | undefined;
  readonly cid: string | undefined;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** Uploads a file. */
export type UploadFile = (file: LoadedFile) => Promise<AttachmentReference>;

/**
 * Replaces `attachments` of a body by what the API takes.
 *
 * @throws InvalidArgumentError for a file that cannot be read; AttachmentsTooLargeError for more than 25 MB
 */
export async function withAttachments(body: object, upload: UploadFile): Promise<object> {
  const { attachments } = body as { attachments?: readonly AttachmentInput[] };
  if (!Array.isArray(attachments) || attachments.length === 0) return body;
  const others = new TextEncoder().encode(JSON.stringify({ ...body, attachments: [] })).byteLength;
  const loaded = await loadAll(attachments);
  const isInline = fitting(loaded, requestBytesMax - others);
  const prepared = await Promise.all(
    loaded.map((one) => {
      if (!('bytes' in one)) return one;
      return isInline.has(one) ? inlined(one) : upload(one);
    }),
  );
  return { ...body, attachments: prepared };
}

type Loaded = LoadedFile | AttachmentReference | InlineAttachment;

/** One after another, so that the total is known before the next one is read. */
async function loadAll(attachments: readonly AttachmentInput[]): Promise<Loaded[]> {
  // A stream that fails while another file is read has no reader yet: Node would end the program.
  for (const attachment of attachments)
    ignoreEarlyError((attachment as Partial<FileAttachment> | null)?.content);
  const loaded: Loaded[] = [];
  let bytesLeft = fileBytesMax;
  for (const [index, attachment] of attachments.entries()) {
    const one = await load(attachment, `attachments.${index}`, bytesLeft);
    if ('bytes' in one) bytesLeft -= one.bytes.byteLength;
    loaded.push(one);
  }
  return loaded;
}

/** Whoever reads the stream later gets its error. */
function ignoreEarlyError(content: unknown): void {
  const { once } = (content ?? {}) as { once?: unknown };
  if (typeof once === 'function') once.call(content, 'error', () => {});
}

/** The files that fit into the request, the smallest first. */
function fitting(loaded: readonly Loaded[], charactersMax: number): Set<Loaded> {
  let left =
    charactersMax - loaded.reduce((sum, one) => sum + ('bytes' in one ? 0 : JSON.stringify(one).length), 0);
  const files = loaded
    .filter((one) => 'bytes' in one)
    .sort((a, b) => a.bytes.byteLength - b.bytes.byteLength);
  const fits = files.filter(({ bytes }) => {
    left -= Math.ceil(bytes.byteLength / 3) * 4 + 1000;
    return left >= 0;
  });
  return new Set(fits);
}

const inlined = ({ filename, contentType, cid, bytes }: LoadedFile): InlineAttachment => ({
  filename,
  content_type: contentType,
  content: toBase64(bytes),
  cid,
});

/** Short text needs no look at its bytes: the service decodes it. */
const untouchedCharacters = 100_000;

async function load(given: AttachmentInput, where: string, bytesMax: number): Promise<Loaded> {
  if (given === null || typeof given !== 'object')
    throw new InvalidArgumentError(`${where} is not an attachment: ${forms}`);
  if ('attachment_id' in given) return given;
  if (given instanceof Blob) return await loadFile({ content: given }, where, bytesMax);
  if ('path' in given) return await loadPath(given, where, bytesMax);
  if (given.content === undefined || given.content === null) {
    throw new InvalidArgumentError(`${where} has no content: ${forms}`);
  }
  const { content } = given;
  if (typeof content === 'string' && content.length <= untouchedCharacters) return given as InlineAttachment;
  return await loadFile(given, where, bytesMax);
}

const forms = 'give {path}, {filename, content}, {attachment_id} or a File.';

/** Loads a file for an upload. @param file not a reference */
export async function loadAttachment(file: FileAttachment | PathAttachment | Blob): Promise<LoadedFile> {
  if (file instanceof Blob) return await loadFile({ content: file }, 'file', fileBytesMax);
  if ('path' in file) return await loadPath(file, 'file', fileBytesMax);
  return await loadFile(file, 'file', fileBytesMax);
}

async function loadFile(given: FileAttachment, where: string, bytesMax: number): Promise<LoadedFile> {
  const { content, cid } = given;
  const filename = given.filename ?? (content as { readonly name?: unknown }).name;
  if (typeof filename !== 'string' || filename === '')
    throw new InvalidArgumentError(`${where} needs a filename.`);
  const contentType = given.content_type ?? typeOf(content);
  const bytes = await bytesOf(content, where, bytesMax).catch((cause: unknown) => {
    if (cause instanceof ParleyError) throw cause;
    throw new InvalidArgumentError(`${where} cannot be read: ${(cause as Error)?.message}`, cause);
  });
  return { filename, contentType, cid, bytes };
}

function typeOf(content: FileContent): string | undefined {
  if (content instanceof Blob) return content.type || undefined;
  if (content instanceof Response) return content.headers.get('content-type') ?? undefined;
  if (typeof content === 'string') return /^data:([\w.+-]+\/[\w.+-]+)[;,]/.exec(content.slice(0, 500))?.[1];
  return undefined;
}

interface FileSystem {
  stat(path: string | URL): Promise<{ readonly size: number; isFile(): boolean }>;
  readFile(path: string | URL): Promise<Uint8Array<ArrayBuffer>>;
}

async function loadPath(given: PathAttachment, where: string, bytesMax: number): Promise<LoadedFile> {
  const { path, content_type: contentType, cid } = given;
  if (/^https?:/i.test(String(path))) {
    throw new InvalidArgumentError(
      `${where} has the address of a page as its path: give content: await fetch(address).`,
    );
  }
  const filename = given.filename ?? lastPart(path);
  const bytes = await readPath(path, where, bytesMax);
  return { filename, contentType, cid, bytes };
}

function lastPart(path: string | URL): string {
  const text = typeof path === 'string' ? path : decodeURIComponent(path.pathname);
  return text.split(/[/\\]/).at(-1) ?? '';
}

async function readPath(
  path: string | URL,
  where: string,
  bytesMax: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const fs = await nodeModule<FileSystem>('node:fs/promises').catch((cause: unknown) => {
    throw new InvalidArgumentError(
      `${where}: this runtime has no files; give the content instead of a path.`,
      cause,
    );
  });
  try {
    const found = await fs.stat(path);
    // A device or a pipe has no size: it is a stream for the caller to read.
    if (!found.isFile()) throw new Error('it is no file');
    if (found.size <= bytesMax) return await fs.readFile(path);
  } catch (cause) {
    throw new InvalidArgumentError(`${where} cannot be read: ${(cause as Error).message}`, cause);
  }
  throw tooLarge();
}

const tooLarge = () =>
  new AttachmentsTooLargeError('attachments_too_large', {
    status: 413,
    detail: 'The files have more than 25 MB in all; nothing was sent.',
  });

async function bytesOf(
  content: FileContent,
  where: string,
  bytesMax: number,
): Promise<Uint8Array<ArrayBuffer>> {
  if (typeof content === 'string') return bounded(fromBase64(content, where), bytesMax);
  if (content instanceof Blob) {
    if (content.size > bytesMax) throw tooLarge();
    return new Uint8Array(await content.arrayBuffer());
  }
  if (content instanceof ArrayBuffer) return bounded(new Uint8Array(content), bytesMax);
  if (ArrayBuffer.isView(content)) {
    return bounded(
      new Uint8Array(content.buffer as ArrayBuffer, content.byteOffset, content.byteLength),
      bytesMax,
    );
  }
  const source = content instanceof Response ? content.body : content;
  if (source === null) return new Uint8Array();
  if (typeof source !== 'object') throw notAFile(where);
  if (isReadable(source)) return await collect(chunksOf(source), bytesMax);
  if (Symbol.asyncIterator in source) return await collect(source, bytesMax);
  throw notAFile(where);
}

const notAFile = (where: string): InvalidArgumentError =>
  new InvalidArgumentError(`${where} has a content that is no string, bytes, Blob, Response or stream.`);

const isReadable = (source: object): source is ReadableStream<Uint8Array> =>
  'getReader' in source && typeof source.getReader === 'function';

function bounded(bytes: Uint8Array<ArrayBuffer>, bytesMax: number): Uint8Array<ArrayBuffer> {
  if (bytes.byteLength > bytesMax) throw tooLarge();
  return bytes;
}

/** Not every browser iterates over streams. */
async function* chunksOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = stream.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
}

/** Reads a stream up to the limit, so that memory is bounded. */
async function collect(
  source: AsyncIterable<Uint8Array | string>,
  bytesMax: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of source) {
    const part = typeof chunk === 'string' ? new TextEncoder().encode(chunk) : chunk;
    bytes += part.byteLength;
    if (bytes > bytesMax) throw tooLarge();
    chunks.push(part);
  }
  const whole = new Uint8Array(bytes);
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.byteLength;
  }
  return whole;
}

/** Arguments of a call are limited. */
const sliceBytes = 8190;

/** Base64 (RFC 4648, section 4). */
export function toBase64(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.byteLength; at += sliceBytes) {
    text += btoa(String.fromCharCode(...bytes.subarray(at, at + sliceBytes)));
  }
  return text;
}

function fromBase64(text: string, where: string): Uint8Array<ArrayBuffer> {
  const comma = text.slice(0, 500).indexOf(',');
  const isDataUrl = text.startsWith('data:') && text.slice(0, comma).endsWith(';base64');
  const data = isDataUrl ? text.slice(comma + 1) : text;
  try {
    return Uint8Array.from(atob(data), (character) => character.charCodeAt(0));
  } catch (cause) {
    throw new InvalidArgumentError(`${where} has a content that is not base64.`, cause);
  }
}

/** The media type that an upload announces. */
export const uploadTypeOf = ({ contentType, filename }: LoadedFile): string =>
  contentType ?? mediaTypeOf(filename);
