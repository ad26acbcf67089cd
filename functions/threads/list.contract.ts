/** Contract of `GET /threads`. */
import * as z from 'zod';
import { labelsMax } from '../../lib/core/threads/thread.ts';
import { operation } from '../../lib/http/contract.ts';
import { threadSchema } from '../../lib/http/presenters/thread.ts';
import { labelInput } from '../../lib/http/presenters/thread-marks.ts';
import {
  flagQuery,
  pageOf,
  pageQuery,
  repeatedQuery,
  searchQuery,
  spaceQuery,
} from '../../lib/http/schemas.ts';
import { addressCharactersMax, normalizeAddress } from '../../lib/mail/addresses/addresses.ts';

export const listThreadsOperation = operation({
  id: 'threads.list',
  method: 'GET',
  path: '/api/v2/threads',
  summary: 'List threads, most recently active first',
  description:
    'Lists conversations, most recently active first. The order is fixed when the first page is read, for one hour: ' +
    'new mail does not move threads between pages. Every filter but `space` and `mailbox` alone can leave pages with ' +
    'fewer threads than `limit`, even none.',
  scope: 'read',
  budget: 'read, or query with a search term',
  access: ['table:query'],
  params: z.strictObject({}),
  query: z.strictObject({
    ...pageQuery,
    ...spaceQuery,
    ...searchQuery('the subject, the mailbox and the participants'),
    label: repeatedQuery(labelInput, labelsMax)
      .refine((labels) => labels.length <= labelsMax, `must be at most ${labelsMax} different labels`)
      .optional()
      .describe(
        'Only threads with this label; may be given several times for threads with all of the labels.',
      ),
    read: flagQuery('`false`: only unread threads; `true`: only others.').optional(),
    claimed: flagQuery('`true`: only threads that somebody has claimed; `false`: only others.').optional(),
    mailbox: z
      .string()
      .transform((text, context) => {
        const address = normalizeAddress(text);
        if (address) return address;
        context.addIssue({ code: 'custom', message: 'must be an address such as a@example.com' });
        return z.NEVER;
      })
      .optional()
      .meta({
        maxLength: addressCharactersMax,
        examples: ['support@acme.dev'],
        description: 'Only threads of this address of the workspace; compared without case.',
      }),
  }),
  body: null,
  responses: { 200: { description: 'A page of threads.', body: pageOf(threadSchema) } },
  problems: [],
});
