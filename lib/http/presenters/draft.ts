/** The input of edits and approvals of drafts (docs/concepts/drafts.md). */
import * as z from 'zod';
import type { DraftEdit } from '../../services/sending/edit-draft.ts';
import { besideOtherIssues } from '../schemas.ts';
import {
  addressesInput,
  copyFields,
  hasBody,
  messageFields,
  recipientsInput,
  replyToField,
  scheduledAtInput,
  toText,
} from './outgoing.ts';

const versionInput = z
  .int()
  .min(1)
  .max(1_000_000_000)
  .optional()
  .meta({
    examples: [1],
    description:
      'The version that was seen: where the draft has another by now, the request is refused with `draft_changed`.',
  });

export const approvalInput = z
  .strictObject({ version: versionInput })
  .meta({ description: 'What is approved.', examples: [{ version: 1 }] });

export const draftEditInput = z
  .strictObject({
    version: versionInput,
    to: recipientsInput.optional().describe(toText),
    ...copyFields(addressesInput),
    reply_to: replyToField(addressesInput),
    subject: messageFields.subject.optional(),
    html: messageFields.html.describe('Replaces the body, together with `text`.'),
    text: messageFields.text.describe('Replaces the body, together with `html`.'),
    attachments: messageFields.attachments.describe(
      'Replaces the files, at most 25 MB decoded in all; an `attachment_id` of the draft keeps that file.',
    ),
    scheduled_at: scheduledAtInput
      .nullable()
      .optional()
      .describe(
        'When the email is sent: in the future and at most 30 days ahead; null: once a draft is approved.',
      ),
  })
  .refine((edit) => Object.keys(edit).some((name) => name !== 'version'), {
    message: 'must have a field to change',
    path: [],
    ...besideOtherIssues,
  })
  .refine((edit) => (edit.text === undefined && edit.html === undefined) || hasBody(edit), {
    message: 'must not be empty without html',
    path: ['text'],
    ...besideOtherIssues,
  })
  .meta({
    description: 'The fields to change.',
    examples: [{ version: 1, text: 'It arrives tomorrow.' }, { scheduled_at: '2026-02-01T09:00:00+01:00' }],
  });

/** The new time of a scheduled email; null where the request changes something else. */
export function rescheduledTo({
  scheduled_at: at,
  ...others
}: z.output<typeof draftEditInput>): number | null {
  return Object.values(others).every((value) => value === undefined) ? (at ?? null) : null;
}

export function draftEdit(body: z.output<typeof draftEditInput>): DraftEdit {
  const hasNewBody = body.text !== undefined || body.html !== undefined;
  return {
    to: body.to,
    cc: body.cc,
    bcc: body.bcc,
    replyTo: body.reply_to,
    subject: body.subject,
    ...(hasNewBody && { body: { text: body.text || null, html: body.html || null } }),
    attachments: body.attachments,
    scheduledAt: body.scheduled_at,
  };
}
