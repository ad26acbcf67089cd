/** Opening of TNEF attachments: `winmail.dat` is replaced by the files in it (docs/concepts/reading-mail.md#text-and-html). */
import type { TextBudget } from '../text/text-limits.ts';
import { baseFilename, cutBytes, fieldLimits } from './field-limits.ts';
import { mediaTypeOf } from './media-types.ts';
import type { TnefFile, TnefMessage } from './tnef.ts';

/** A file of a message. */
export interface AttachedFile {
  /** Base name, decoded; null when the part names none. */
  readonly filename: string | null;
  /** Lower-case media type without parameters. */
  readonly contentType: string;
  readonly disposition: string | null;
  /** Content-ID without angle brackets. */
  readonly cid: string | null;
  /** The legacy charset that the part declares, in lower case; absent without one. */
  readonly charset?: string;
  /** The decoded bytes, unchanged. */
  readonly content: Uint8Array;
}

/** The body that the message has without TNEF. */
interface OwnBody {
  readonly html: string | null;
  readonly text: string | null;
  readonly textBudget: TextBudget;
}

interface OpenedTnef {
  readonly attachments: readonly AttachedFile[];
  /** The body of the TNEF message, not truncated; null where the message has its own or the TNEF message has none. */
  readonly html: string | null;
  readonly text: string | null;
  readonly problems: readonly string[];
}

/** Files that are taken out of the TNEF attachments of a message; each is an object to store. */
const openedFilesMax = 200;
const tnefTypes = /^application\/(?:vnd\.)?ms-tnef$/;

/** Opens TNEF attachments. One that is damaged, or that has too many files, stays in the list as well. */
export async function openTnef(files: readonly AttachedFile[], own: OwnBody): Promise<OpenedTnef> {
  // Few messages have one, and its parser comes with that of RTF.
  const parse = files.some(isCandidate) ? (await import('./tnef.ts')).parseTnef : () => null;
  const attachments: AttachedFile[] = [];
  const problems: string[] = [];
  let body: TnefMessage | null = null;
  let opened = 0;
  for (const file of files) {
    const message = isCandidate(file) && opened < openedFilesMax ? parse(file.content) : null;
    if (message === null) {
      attachments.push(file);
      continue;
    }
    const isWhole = message.isWhole && opened + message.files.length <= openedFilesMax;
    if (!isWhole) {
      problems.push('a TNEF attachment is damaged or has too many files');
      attachments.push(file);
    }
    const shown = message.files.slice(0, openedFilesMax - opened);
    opened += shown.length;
    attachments.push(...shown.map(attachedFile));
    body ??= message;
  }
  const { html, text } = own.html === null && own.text === null && body !== null ? body : noBody;
  return { attachments: [...attachments, ...longBody({ html, text }, own.textBudget)], html, text, problems };
}

const noBody = { html: null, text: null };

function isCandidate({ contentType, filename }: AttachedFile): boolean {
  return tnefTypes.test(contentType) || /^winmail\.dat$/i.test(filename ?? '');
}

function attachedFile({ filename, contentType, cid, content }: TnefFile): AttachedFile {
  const name = baseFilename(filename ?? '');
  const declared = contentType?.toLowerCase() ?? '';
  const isType = /^[\w!#$&^.+-]{1,120}\/[\w!#$&^.+-]{1,120}$/.test(declared);
  return {
    filename: name,
    contentType: isType ? declared : mediaTypeOf(name ?? ''),
    disposition: 'attachment',
    cid: cid === null ? null : cutBytes(cid, fieldLimits.contentIdBytes),
    content,
  };
}

/** A body over the budget, whole, as a file. */
function longBody({ html, text }: Pick<OpenedTnef, 'html' | 'text'>, budget: TextBudget): AttachedFile[] {
  const bodies = [
    { content: html, bytesMax: budget.html, filename: 'message.html', contentType: 'text/html' },
    { content: text, bytesMax: budget.plain, filename: 'message.txt', contentType: 'text/plain' },
  ];
  return bodies.flatMap(({ content, bytesMax, filename, contentType }) => {
    const bytes = Buffer.from(content ?? '');
    if (bytes.length <= bytesMax) return [];
    return [{ filename, contentType, disposition: 'attachment', cid: null, content: bytes }];
  });
}
