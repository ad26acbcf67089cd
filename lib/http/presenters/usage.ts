/** The API record of usage (docs/concepts/usage.md). */
import * as z from 'zod';
import { count } from '../schemas.ts';

const dayUsageSchema = z
  .strictObject({
    day: z.iso.date().meta({ examples: ['2026-01-31'], description: 'The day in UTC.' }),
    sent: count(120, 'Emails that SES or the provider of a mailbox took: `email.sent`.'),
    delivered: count(118, 'Reports of delivery: `email.delivered`.'),
    bounced: count(1, 'Reports of recipients that bounced: `email.bounced`.'),
    complained: count(0, 'Complaints: `email.complained`.'),
    failed: count(1, 'Emails that were not sent: `email.failed`.'),
    received: count(40, 'Emails that were received: `email.received`.'),
  })
  .meta({ id: 'DayUsage', description: 'Numbers of events of one day.' });

export const usageSchema = z
  .strictObject({ data: z.array(dayUsageSchema).describe('One record for each day, the oldest first.') })
  .meta({ id: 'Usage', description: 'Numbers of events by day.' });
