/** Contract of `GET /threads/{thread_id}`. */
import * as z from 'zod';
import { operation } from '../../lib/http/contract.ts';
import { threadWithMessagesSchema } from '../../lib/http/presenters/thread-with-messages.ts';
import { exampleId, idSchema, pageQuery } from '../../lib/http/schemas.ts';

export const retrieveThreadOperation = operation({
  id: 'threads.retrieve',
  method: 'GET',
  path: '/api/v2/threads/{thread_id}',
  summary: 'Retrieve a thread with its messages, oldest first',
  description:
    'Returns a thread with a page of its messages, oldest first. A page ends early when its content reaches 4 MB; ' +
    '`next_message_cursor` leads to the next.',
  scope: 'read',
  budget: 'read',
  access: ['table:query', 'content:get'],
  params: z.strictObject({ thread_id: idSchema('thr') }),
  query: z.strictObject({
    message_limit: pageQuery.limit.describe('Maximum number of messages on the page.'),
    message_cursor: z
      .string()
      .meta({ pattern: '^eml_[0-9a-f]{32}$', examples: [exampleId('eml')] })
      .optional()
      .describe(
        '`next_message_cursor` of the previous page; what is no message of the thread is refused with `invalid_cursor`.',
      ),
  }),
  body: null,
  responses: { 200: { description: 'The thread.', body: threadWithMessagesSchema } },
  problems: ['invalid_thread_id', 'thread_not_found', 'invalid_cursor'],
  memoryMb: 1024,
});
