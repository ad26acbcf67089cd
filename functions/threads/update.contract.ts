/** Contract of `PATCH /threads/{thread_id}`. */
import * as z from 'zod';
import { labelsMax } from '../../lib/core/threads/thread.ts';
import { operation } from '../../lib/http/contract.ts';
import { threadSchema } from '../../lib/http/presenters/thread.ts';
import { labelInput, workScope } from '../../lib/http/presenters/thread-marks.ts';
import { besideOtherIssues, idSchema } from '../../lib/http/schemas.ts';

const labels = z.array(labelInput).max(labelsMax).optional();

/** Also of values that have other issues. */
function isUnambiguous({ add, remove }: { readonly add?: unknown; readonly remove?: unknown }): boolean {
  const removed: readonly unknown[] = Array.isArray(remove) ? remove : [];
  return !(Array.isArray(add) && add.some((label) => removed.includes(label)));
}

export const updateThreadOperation = operation({
  id: 'threads.update',
  method: 'PATCH',
  path: '/api/v2/threads/{thread_id}',
  summary: 'Label a thread, or mark it as read',
  description:
    'Adds and removes labels, and sets the read state. A label that the thread has, or does not have, is no error. ' +
    'More than 20 labels are refused with `limit_reached`.',
  scope: workScope,
  budget: 'read',
  access: ['table:put', 'table:delete'],
  params: z.strictObject({ thread_id: idSchema('thr') }),
  query: z.strictObject({}),
  body: z
    .strictObject({
      labels: z
        .strictObject({
          add: labels.describe('Labels to add.'),
          remove: labels.describe('Labels to remove.'),
        })
        .refine(isUnambiguous, {
          message: 'must not add and remove the same label',
          ...besideOtherIssues,
        })
        .meta({
          id: 'ThreadLabelChanges',
          description: 'Labels to add and to remove; one label is in one list only.',
        })
        .optional(),
      read: z
        .boolean()
        .optional()
        .describe('false: unread. The next message of a person makes the thread unread again.'),
    })
    .meta({
      description: 'The changes, at least one.',
      minProperties: 1,
      examples: [{ labels: { add: ['billing'], remove: ['new'] }, read: true }],
    }),
  responses: { 200: { description: 'The thread after the change.', body: threadSchema } },
  problems: ['invalid_thread_id', 'thread_not_found', 'limit_reached'],
});
