/** Bodies that pass validation: those of the operations that read a body before they look up their path. */
import { now, timestamp } from '../../lib/adapters/clock.ts';

/** By id of the operation. */
export const exampleBodies: Readonly<Record<string, unknown>> = {
  'domains.update': { track_opens: true },
  'spaces.update': { name: 'Acme' },
  'emails.reschedule': { scheduled_at: timestamp(now() + 24 * 60 * 60_000) },
  'threads.reply': { text: 'Thank you.' },
  'threads.forward': { to: 'ada@example.com' },
  'webhook-endpoints.update': { enabled: false },
};
