/** The API record of the queue of held emails (docs/concepts/pacing.md#queue). */
import * as z from 'zod';
import { queuedAt } from '../../core/pacing/held.ts';
import type { PacingQueue } from '../../services/pacing/pacing-queue.ts';
import { count, idSchema, spaceId, text, timestampOf, timestampSchema } from '../schemas.ts';
import { estimatedSendAt, heldBySchema, presentHeldBy } from '../send-operation.ts';
import { addressSchema } from './email.ts';
import { addresses, subject } from './fields.ts';
import { kindText, ruleNameText } from './pacing-fields.ts';

const queuedEmailSchema = z
  .strictObject({
    email_id: idSchema('eml'),
    space_id: spaceId,
    from: addressSchema.describe('The sender.'),
    to: addresses('The first recipients of the To header.'),
    subject,
    queued_at: timestampSchema.describe(
      'When the email joined the queue: oldest first, emails leave in this order.',
    ),
    held_by: heldBySchema,
    estimated_send_at: estimatedSendAt,
  })
  .meta({ id: 'QueuedEmail', description: 'An email that pacing rules hold.' });

const ruleCountsSchema = z
  .strictObject({
    rule_id: idSchema('pace'),
    name: text('Slow start', ruleNameText),
    kind: z.enum(['hours', 'limit']).meta({ examples: ['limit'], description: kindText }),
    matched: count(12, 'Emails of `data` that the rule matches.'),
    held: count(12, 'Emails of `data` that wait for this rule the longest.'),
  })
  .meta({ id: 'PacingRuleCounts', description: 'A pacing rule with what it holds.' });

export const pacingQueueSchema = z
  .strictObject({
    data: z.array(queuedEmailSchema).describe('The oldest held emails.'),
    total: count(1, 'Number of held emails, also of those beyond `limit`.'),
    sampled: count(
      1,
      'Number of emails in `data`. Below `total`, projections and the counts of rules are of a sample.',
    ),
    as_of: timestampSchema.describe('When the queue was read.'),
    rules: z
      .array(ruleCountsSchema)
      .describe('Every pacing rule of the workspace, with what it matches and holds of `data`.'),
  })
  .meta({ id: 'PacingQueue', description: 'The emails that pacing rules hold, and which rule holds them.' });

export const releasedSchema = z
  .strictObject({
    data: z.array(idSchema('eml')).describe('The emails that were held; others are left out.'),
  })
  .meta({ id: 'ReleasedEmails', description: 'What a release has released.' });

export function presentQueue({ emails, total, asOf, rules }: PacingQueue): z.input<typeof pacingQueueSchema> {
  return {
    data: emails.map(({ email, heldBy, sendAt }) => ({
      email_id: email.emailId,
      space_id: email.spaceId,
      from: { name: email.fromName, address: email.from },
      to: [...email.shownTo],
      subject: email.subject,
      queued_at: timestampOf(queuedAt(email.position)),
      held_by: presentHeldBy(heldBy),
      estimated_send_at: timestampOf(Math.ceil(sendAt)),
    })),
    total,
    sampled: emails.length,
    as_of: timestampOf(asOf),
    rules: rules.map(({ rule, matched, held }) => ({
      rule_id: rule.id,
      name: rule.name,
      kind: rule.kind,
      matched,
      held,
    })),
  };
}
