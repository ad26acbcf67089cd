/** Emails that are not sent yet: lists, moves and cancels them. */
import * as z from 'zod';
import type { Email } from '../../../typescript/src/index.ts';
import { limits } from '../limits.ts';
import { emailFacts } from '../mail-facts.ts';
import { reads, tool } from '../tool.ts';
import { cursor, emailId, limit, space, threadId, time } from './arguments.ts';

export const listScheduled = tool({
  name: 'list_scheduled',
  title: 'List scheduled emails',
  description: 'Lists the emails that will be sent later, the ones that were written last first.',
  scope: 'read',
  annotations: reads,
  input: z.strictObject({ thread_id: threadId.optional(), space, limit: limit(50, 20), cursor }),
  async run({ limit: most, cursor: given, ...filters }, { parley, signal }) {
    const found: Email[] = [];
    let next: string | null = given ?? null;
    for (let pages = 0; pages < limits.pages && found.length < most; pages += 1) {
      const page = await parley.emails.list(
        {
          ...filters,
          status: 'scheduled',
          limit: most - found.length,
          ...(next !== null && { cursor: next }),
        },
        { signal },
      );
      found.push(...page.items);
      next = page.next_cursor;
      if (next === null) break;
    }
    return { found: found.length, emails: found.map(emailFacts), next_cursor: next };
  },
});

export const rescheduleEmail = tool({
  name: 'reschedule_email',
  title: 'Reschedule email',
  description: 'Changes the time of an email that is still scheduled.',
  scope: 'sending',
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: true },
  input: z.strictObject({ email_id: emailId, scheduled_at: time('The new time, at most 30 days ahead') }),
  async run({ email_id: id, scheduled_at }, { parley, signal }) {
    return emailFacts(await parley.emails.update(id, { scheduled_at }, { signal }));
  },
});

export const cancelEmail = tool({
  name: 'cancel_email',
  title: 'Cancel email',
  description: 'Cancels an email that is still scheduled: it is never sent, and cannot be scheduled again.',
  scope: 'sending',
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
  input: z.strictObject({ email_id: emailId }),
  async run({ email_id: id }, { parley, signal }) {
    return emailFacts(await parley.emails.cancel(id, { signal }));
  },
});
