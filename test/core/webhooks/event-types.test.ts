/** The list of event types. */
import { expect, it } from 'vitest';
import { eventSummaries } from '../../../lib/core/webhooks/event-summaries.ts';
import { eventTypes } from '../../../lib/core/webhooks/event-types.ts';

it('eventTypes has the fifteen types of docs/concepts/webhooks.md#event-types, each named after its subject', () => {
  expect(eventTypes).toHaveLength(15);
  const subjects = Object.groupBy(eventTypes, (type) => type.split('.')[0] ?? '');
  const counts = Object.entries(subjects).map(([subject, types]) => [subject, types?.length]);
  expect(Object.fromEntries(counts)).toEqual({ email: 9, thread: 1, domain: 2, mailbox: 3 });
});

it('eventSummaries has a sentence for each type', () => {
  expect(Object.keys(eventSummaries)).toEqual([...eventTypes]);
  for (const summary of Object.values(eventSummaries)) expect(summary).toMatch(/^[A-Z].*\.$/);
});
