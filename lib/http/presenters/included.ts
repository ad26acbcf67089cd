/** Content of an email in the `data` of a webhook, in the form that `GET /emails/{email_id}` has. */
import type { IncludedContent, IncludedPart } from '../../core/webhooks/included.ts';

interface Attachment {
  readonly id: string;
  readonly preparation: object | null;
}

/** @param data of `email.received` as it is stored */
export function presentIncluded(
  data: object & { readonly attachments?: readonly Attachment[] },
  parts: readonly IncludedPart[],
  { text, strippedText, headers, attachmentTexts }: IncludedContent,
): object {
  const isCut: Readonly<Record<IncludedPart, boolean>> = {
    text: text.isCut,
    stripped_text: strippedText.isCut,
    attachment_text: attachmentTexts.isCut,
    headers: headers.isCut,
  };
  const has = (part: IncludedPart) => parts.includes(part);
  const texts: ReadonlyMap<string, string> = attachmentTexts.byFile;
  return {
    ...data,
    ...(has('text') && { text: text.text }),
    ...(has('stripped_text') && { stripped_text: strippedText.text }),
    ...(has('headers') && { headers: headers.list }),
    ...(has('attachment_text') && {
      attachments: data.attachments?.map((file) => withText(file, texts.get(file.id) ?? null)),
    }),
    truncated: parts.filter((part) => isCut[part]),
  };
}

/** A file whose text was not ready when the event was made has none. */
function withText(file: Attachment, text: string | null): Attachment {
  return { ...file, preparation: file.preparation && { ...file.preparation, text } };
}
