/** Links to the files of emails and to their extracted texts (docs/concepts/attachments.md#downloads). */
import { getObject, presignObject } from '../../adapters/objects.ts';
import { textMediaTypes } from '../../core/attachments/attachment.ts';
import { contentDisposition, servedType } from '../../core/attachments/download.ts';
import type { FullEmail, StoredAttachment } from '../../core/emails/email.ts';
import { bytesInResponse, fitEmail } from '../../core/emails/response-size.ts';
import type { EmailId, WorkspaceId } from '../../core/ids.ts';
import { limits } from '../../core/limits.ts';
import type { TextExtraction, TextFormat } from '../../mail/files/extracted-text.ts';
import { extractedTextObject } from '../../storage/emails/attachments.ts';
import { attachmentObject } from '../../storage/emails/email-content.ts';

/** A file of an email with its links. */
export interface LinkedAttachment {
  readonly file: StoredAttachment;
  /** Valid without an API key for `limits.linkSeconds`. */
  readonly downloadUrl: string;
  readonly extraction: LinkedExtraction | null;
}

export interface LinkedExtraction extends TextExtraction {
  /** Likewise; null where there is no text. */
  readonly contentUrl: string | null;
  /** null unless asked for. */
  readonly text: string | null;
}

/** A link to the original file. Browsers save it under its name and do not render it. */
export async function linkToFile(
  workspaceId: WorkspaceId,
  emailId: EmailId,
  file: StoredAttachment,
): Promise<string> {
  return await presignObject('GET', attachmentObject(workspaceId, emailId, file.id), {
    seconds: limits.linkSeconds,
    query: {
      'response-content-disposition': contentDisposition(file.filename),
      'response-content-type': servedType(file.contentType),
    },
  });
}

const extensions: Readonly<Record<TextFormat, string>> = { markdown: '.md', text: '.txt' };

/** A link to the extracted text of a file. */
export async function linkToText(
  workspaceId: WorkspaceId,
  emailId: EmailId,
  file: StoredAttachment,
  format: TextFormat,
): Promise<string> {
  return await presignObject('GET', extractedTextObject(workspaceId, emailId, file.id), {
    seconds: limits.linkSeconds,
    query: {
      'response-content-disposition': contentDisposition(`${file.filename}${extensions[format]}`),
      'response-content-type': textMediaTypes[format],
    },
  });
}

/** The files of an email with links. @param options.withText includes the extracted texts */
export async function linkAttachments(
  workspaceId: WorkspaceId,
  email: FullEmail,
  options: { withText: boolean },
): Promise<LinkedAttachment[]> {
  const { head, content, extractions } = email;
  const shown = await Promise.all(
    content.attachments.map(async (file) => ({
      file,
      downloadUrl: await linkToFile(workspaceId, head.id, file),
      extraction: await linkExtraction(workspaceId, head.id, file, extractions.get(file.id) ?? null),
    })),
  );
  return options.withText ? await withTexts(workspaceId, email, shown) : shown;
}

async function linkExtraction(
  workspaceId: WorkspaceId,
  emailId: EmailId,
  file: StoredAttachment,
  extraction: TextExtraction | null,
): Promise<LinkedExtraction | null> {
  if (!extraction) return null;
  const { format } = extraction;
  const contentUrl = format && (await linkToText(workspaceId, emailId, file, format));
  return { ...extraction, contentUrl, text: null };
}

const leftOut = {
  text: null,
  warning: 'The text is left out because the response would be too large; see content_url.',
};

/** Bytes of the history and the newest engagements of an email, at most. */
const otherBytesMax = limits.historyBytes + limits.engagementsShown * 20_000;

/** Adds texts in the order of the files, up to the size limit of the response. */
async function withTexts(
  workspaceId: WorkspaceId,
  { head, content }: FullEmail,
  attachments: readonly LinkedAttachment[],
): Promise<LinkedAttachment[]> {
  // The rest of the response, with the most that its history and engagements take.
  const links = bytesInResponse(attachments);
  const body = fitEmail({ ...content, to: content.to ?? head.to }, links + otherBytesMax);
  let budget = limits.emailBytes - links - otherBytesMax - bytesInResponse(body);
  const withText = attachments.filter(({ extraction }) => extraction?.format);
  const tried = withText.slice(0, Math.max(Math.floor(budget / limits.inlineTextBytes), 0));
  const texts = new Map(
    await Promise.all(
      tried.map(async (one) => [one, await beginningOf(workspaceId, head.id, one.file)] as const),
    ),
  );
  return attachments.map((attachment) => {
    const { extraction } = attachment;
    if (!extraction?.format) return attachment;
    const found = texts.get(attachment) ?? leftOut;
    const bytes = bytesInResponse(found.text);
    const { text, warning } = bytes <= budget ? found : leftOut;
    if (text !== null) budget -= bytes;
    const warnings = warning ? [...extraction.warnings, warning] : extraction.warnings;
    return { ...attachment, extraction: { ...extraction, warnings, text } };
  });
}

async function beginningOf(workspaceId: WorkspaceId, emailId: EmailId, file: StoredAttachment) {
  const { inlineTextBytes } = limits;
  // One byte more shows whether the text is longer.
  const bytes = await getObject(extractedTextObject(workspaceId, emailId, file.id), inlineTextBytes + 1);
  if (bytes.length <= inlineTextBytes) return { text: bytes.toString(), warning: null };
  const text = bytes
    .subarray(0, inlineTextBytes)
    .toString()
    .replace(/\ufffd$/, '');
  return { text, warning: `The text is cut after ${inlineTextBytes} bytes; see content_url for all of it.` };
}
