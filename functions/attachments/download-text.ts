/** Redirects to the extracted text of an attachment. */

import { Problem } from '../../lib/core/problems.ts';
import type { TextExtraction } from '../../lib/core/text-extraction.ts';
import { serve } from '../../lib/http/serve.ts';
import { linkToText } from '../../lib/services/attachments/attachment-links.ts';
import { findAttachment } from '../../lib/storage/attachments.ts';
import { downloadAttachmentTextOperation } from './download-text.contract.ts';

export const handler = serve(downloadAttachmentTextOperation, async ({ caller: { workspaceId }, params }) => {
  const found = await findAttachment(workspaceId, params.attachment_id);
  if (!found) throw new Problem('not_found', 'The attachment does not exist.');
  const { emailId, file } = found;
  const format = file.preparation?.format;
  if (!format) throw new Problem('not_prepared', reasonOf(file.preparation));
  return {
    status: 307,
    body: null,
    headers: { location: await linkToText(workspaceId, emailId, file, format) },
  };
});

function reasonOf(preparation: TextExtraction | null): string {
  if (!preparation) return 'No text has been extracted from the attachment yet.';
  return preparation.warnings.at(-1) ?? 'The attachment contains no text.';
}
