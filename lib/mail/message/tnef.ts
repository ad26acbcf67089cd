/** Messages in TNEF (`winmail.dat`), which Exchange and Outlook send instead of MIME parts ([MS-OXTNEF]). */

import { charsetOfCodePage, decodeBytes } from '../text/charsets.ts';
import { textOfRtf } from '../text/rtf.ts';
import { decompressRtf } from './compressed-rtf.ts';
import { isTnef, type MapiProperty, propertyTypes, readAttributes, readProperties } from './tnef-stream.ts';

export interface TnefFile {
  readonly filename: string | null;
  /** As declared; null if it is not. */
  readonly contentType: string | null;
  readonly cid: string | null;
  readonly content: Uint8Array;
}

export interface TnefMessage {
  readonly text: string | null;
  readonly html: string | null;
  readonly files: readonly TnefFile[];
  /** False if the stream is truncated or damaged, or has more than is read. */
  readonly isWhole: boolean;
}

const attributeTags = {
  codePage: 0x0006_9007,
  body: 0x0002_800c,
  messageProperties: 0x0006_9003,
  attachmentBegins: 0x0006_9002,
  attachmentTitle: 0x0001_8010,
  attachmentData: 0x0006_800f,
  attachmentProperties: 0x0006_9005,
} as const;

/** Property ids ([MS-OXPROPS]). */
const ids = {
  displayName: 0x3001,
  body: 0x1000,
  rtf: 0x1009,
  html: 0x1013,
  internetCodePage: 0x3fde,
  data: 0x3701,
  filename: 0x3704,
  longFilename: 0x3707,
  mediaType: 0x370e,
  contentId: 0x3712,
} as const;

/** Messages within messages that are opened. */
const levelsMax = 5;
const filesMax = 200;
/** A longer RTF body stays in the stream. */
const rtfBytesMax = 16 * 1024 * 1024;
/** An object begins with the id of its interface. */
const interfaceIdBytes = 16;
/** IID_IMessage ([MS-OXTNEF] 2.1.3.3.15). */
const messageInterface = '0703020000000000c000000000000046';

/** The attributes of one attachment. */
interface Attachment {
  title: Buffer | null;
  data: Buffer | null;
  properties: readonly MapiProperty[];
}

/**
 * Opens a TNEF stream. Never throws; linear in the stream. The contents of files are views of it.
 *
 * @returns null if the content is not TNEF
 */
export function parseTnef(content: Uint8Array): TnefMessage | null {
  return isTnef(content) ? parseLevel(content, 1) : null;
}

function parseLevel(content: Uint8Array, level: number): TnefMessage {
  const { attributes, isWhole } = readAttributes(content);
  const message: { charset: string; body: Buffer | null; properties: MapiProperty[] } = {
    charset: 'windows-1252',
    body: null,
    properties: [],
  };
  const attachments: Attachment[] = [];
  for (const { tag, data } of attributes) {
    const attachment = attachments.at(-1);
    if (tag === attributeTags.codePage && data.length >= 4)
      message.charset = charsetOfCodePage(data.readUInt32LE(0));
    else if (tag === attributeTags.body) message.body ??= data;
    else if (tag === attributeTags.messageProperties) message.properties.push(...readProperties(data));
    else if (tag === attributeTags.attachmentBegins)
      attachments.push({ title: null, data: null, properties: [] });
    else if (!attachment) continue;
    else if (tag === attributeTags.attachmentTitle) attachment.title = data;
    else if (tag === attributeTags.attachmentData) attachment.data = data;
    else if (tag === attributeTags.attachmentProperties) attachment.properties = readProperties(data);
  }
  const opened = attachments.slice(0, filesMax).map((one) => filesOf(one, message.charset, level));
  const files = opened.flatMap((one) => one.files);
  const body = bodyOf(message.properties, message.body, message.charset);
  return {
    text: body.text,
    html: body.html,
    files: files.slice(0, filesMax),
    isWhole:
      isWhole &&
      body.isWhole &&
      opened.every((one) => one.isWhole) &&
      attachments.length <= filesMax &&
      files.length <= filesMax,
  };
}

/** Html counts before text, and both before RTF. */
function bodyOf(properties: readonly MapiProperty[], body: Buffer | null, charset: string) {
  const codePage = find(properties, ids.internetCodePage);
  const declared =
    codePage && codePage.data.length >= 4 ? charsetOfCodePage(codePage.data.readUInt32LE(0)) : charset;
  const htmlProperty = find(properties, ids.html);
  const textProperty = find(properties, ids.body);
  const html = htmlProperty && stringOf(htmlProperty, declared);
  const text = textProperty ? stringOf(textProperty, charset) : body && decoded(body, charset);
  const rtfProperty = find(properties, ids.rtf);
  if (html || text?.trim() || !rtfProperty) return { html: html || null, text: text || null, isWhole: true };
  const rtf = decompressRtf(rtfProperty.data, rtfBytesMax);
  const read = rtf && textOfRtf(rtf.toString('latin1'));
  return { html: null, text: read?.text || null, isWhole: rtf !== null && rtf.length < rtfBytesMax };
}

/** The file of an attachment; of a message within the message, its files and its body as a file. */
function filesOf({ title, data, properties }: Attachment, charset: string, level: number) {
  const text = (id: number) => {
    const property = find(properties, id);
    return (property && stringOf(property, charset).trim()) || null;
  };
  const filename =
    text(ids.longFilename) ??
    text(ids.filename) ??
    ((title && decoded(title, charset).trim()) || null) ??
    text(ids.displayName);
  const property = find(properties, ids.data);
  const isObject = property?.type === propertyTypes.object;
  const object = property && isObject ? property.data.subarray(interfaceIdBytes) : null;
  const content = data ?? object ?? property?.data ?? Buffer.alloc(0);
  const isMessage = isObject && property.data.toString('hex', 0, interfaceIdBytes) === messageInterface;
  if (isMessage && object && isTnef(object) && level < levelsMax) {
    const inner = parseLevel(object, level + 1);
    return { files: [...bodyFile(inner, filename), ...inner.files], isWhole: inner.isWhole };
  }
  const file = { filename, contentType: text(ids.mediaType), cid: text(ids.contentId), content };
  return { files: [file], isWhole: true };
}

/** The body of a message within the message, named after it. */
function bodyFile({ html, text }: TnefMessage, name: string | null): TnefFile[] {
  const body = html ?? text;
  if (body === null) return [];
  const [contentType, extension] = html === null ? ['text/plain', 'txt'] : ['text/html', 'html'];
  return [
    { filename: `${name ?? 'message'}.${extension}`, contentType, cid: null, content: Buffer.from(body) },
  ];
}

function find(properties: readonly MapiProperty[], id: number): MapiProperty | undefined {
  return properties.find((property) => property.id === id);
}

function stringOf({ type, data }: MapiProperty, charset: string): string {
  return type === propertyTypes.string ? withoutNull(data.toString('utf16le')) : decoded(data, charset);
}

function decoded(bytes: Buffer, charset: string): string {
  return withoutNull(decodeBytes(bytes, charset));
}

/** Strings end in a null character. */
function withoutNull(text: string): string {
  const end = text.indexOf('\0');
  return end < 0 ? text : text.slice(0, end);
}
