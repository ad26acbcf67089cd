/** The API record of the queue of held emails (docs/concepts/pacing.md#queue). */
import * as z from 'zod';
import { queuedAt } from '../../core/pacing/held.ts';
import type { PacingQueue } from '../../services/pacing/pacing-queue.ts';
import { idSchema, text, timestampOf, timestampSchema } from '../schemas.ts';
import { addressesSchema, addressSchema, heldBySchema, presentHeldBy } from './email.ts';

const queuedEmailSchema = z
  .strictObject({
    email_id: idSchema('eml'),
    space_id: idSchema('spc')
      .nullable()
      .meta({ examples: [null] }),
    from: addressSchema,
    to: addressesSchema,
    subject: text('Your order'),
    queued_at: timestampSchema,
    held_by: heldBySchema,
    estimated_send_at: timestampSchema.describe('When the email leaves if nothing changes.'),
  })
  .meta({ id: 'QueuedEmail' });

const ruleCountsSchema = z
  .strictObject({
    rule_id: idSchema('pace'),
    name: text('Slow start'),
    kind: z.enum(['hours', 'limit']).meta({ examples: ['limit'] }),
    matched: z.int().meta({ examples: [12], description: 'Emails of `data` that the rule matches.' }),
    held: z
      .int()
      .meta({ examples: [12], description: 'Emails of `data` that wait for this rule the longest.' }),
  })
  .meta({ id: 'PacingRuleCounts' });

export const pacingQueueSchema = z
  .strictObject({
    data: z.array(queuedEmailSchema).describe('The oldest held emails.'),
    total: z.int().meta({ examples: [1], description: 'Number of held emails.' }),
    sampled: z.int().meta({
      examples: [1],
      description:
        'Number of emails in `data`. Below `total`, projections and the counts of rules are of a sample.',
    }),
    as_of: timestampSchema.describe('When the queue was read.'),
    rules: z.array(ruleCountsSchema),
  })
  .meta({ id: 'PacingQueue' });

export const releasedSchema = z
  .strictObject({
    data: z.array(idSchema('eml')).describe('The emails that were held; others are left out.'),
  })
  .meta({ id: 'ReleasedEmails' });

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
