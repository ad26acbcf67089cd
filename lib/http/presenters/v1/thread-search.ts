/** The search of version 1: its input, and the threads that it finds (docs/concepts/v1.md#search). */
import * as z from 'zod';
import type { EmailStatus } from '../../../core/emails/email.ts';
import { limits } from '../../../core/limits.ts';
import type { DraftThread } from '../../../core/threads/draft-threads.ts';
import { conversationStates, threadOrders } from '../../../core/threads/thread-search.ts';
import { normalizeAddress } from '../../../mail/addresses/addresses.ts';
import type { StatusFilter, ThreadSearch } from '../../../services/reading/search-threads.ts';
import { count, createdAt, idSchema, timestampInput, timestampOf, timestampSchema } from '../../schemas.ts';
import { addresses, snippet } from '../fields.ts';
import { type V1Status, v1Statuses, v1StatusTable } from './email.ts';
import { directionText, v1Subject } from './fields.ts';

export const v1ThreadSummarySchema = z
  .strictObject({
    id: idSchema('thr'),
    createdAt,
    updatedAt: timestampSchema.describe('The same as `lastEmailAt`.'),
    subject: v1Subject,
    snippet: snippet.nullable(),
    lastEmailAt: timestampSchema.describe('When the newest email was accepted or received.'),
    participantEmails: addresses(
      'Authors and To and Cc recipients of all emails, each once, at most the first 100.',
      ['support@acme.dev', 'anna@example.com'],
    ),
    emailCount: count(2, 'Number of emails, scheduled and canceled ones included.'),
  })
  .meta({ id: 'V1ThreadSummary', description: 'A conversation, without its emails.' });

export const v1ThreadsSchema = z
  .strictObject({
    threads: z.array(v1ThreadSummarySchema).describe('The page of threads, in the order of `sortBy`.'),
    pagination: z
      .strictObject({
        total: count(1, 'Number of threads that match, on all pages.'),
        limit: count(20, 'The `limit` of the request.'),
        offset: count(0, 'The `offset` of the request.'),
        hasMore: z
          .boolean()
          .meta({ examples: [false], description: 'Whether threads follow after this page.' }),
      })
      .meta({ id: 'V1Pagination', description: 'Where the page is in the list.' }),
  })
  .meta({ id: 'V1Threads', description: 'A page of threads.' });

export function presentV1ThreadSummary(thread: DraftThread): z.input<typeof v1ThreadSummarySchema> {
  return {
    id: thread.id,
    createdAt: timestampOf(thread.createdAt),
    updatedAt: timestampOf(thread.lastMessageAt),
    subject: thread.subject || null,
    snippet: thread.snippet || null,
    lastEmailAt: timestampOf(thread.lastMessageAt),
    participantEmails: thread.participants.map(({ address }) => address),
    emailCount: thread.messageCount,
  };
}

const address = z
  .string()
  .max(limits.v1AddressCharacters, { abort: true })
  .transform((given, context): string => {
    const normalized = normalizeAddress(given.trim());
    if (normalized) return normalized;
    context.addIssue({ code: 'custom', message: 'must be an address such as a@example.com' });
    return z.NEVER;
  })
  .meta({ examples: ['anna@example.com'] });

const bound = (where: string) =>
  timestampInput
    .optional()
    .describe(`Only threads ${where} this time, itself excluded: RFC 3339 with an offset.`);

export const v1ThreadSearchInput = z
  .strictObject({
    limit: z.int().min(1).max(limits.pageSize).default(20).describe('Maximum number of threads on the page.'),
    offset: z
      .int()
      .min(0)
      .default(0)
      .meta({ maximum: Number.MAX_SAFE_INTEGER, description: 'Number of matching threads to skip.' }),
    createdAfter: bound('created after'),
    createdBefore: bound('created before'),
    lastEmailAfter: bound('whose newest email is after'),
    lastEmailBefore: bound('whose newest email is before'),
    hasParticipantEmails: z
      .array(address)
      .max(limits.recipientsPerField)
      .optional()
      .describe('Only threads in which all of these addresses take part.'),
    hasEmailFromAddress: address.optional().describe('Only threads with an email from this address.'),
    hasEmailToAddress: address.optional().describe('Only threads with an email to this address.'),
    subjectContains: z
      .string()
      .max(limits.subjectCharacters)
      .optional()
      .meta({
        examples: ['order'],
        description: 'Only threads whose subject contains this text; ignores case.',
      }),
    conversationState: z
      .enum(conversationStates)
      .optional()
      .describe(
        'Only threads in this state: `needs_reply`: the last email came in; `awaiting_reply`: it went out; `active`: it is at most `staleThresholdDays` old; `stale`: it is older.',
      ),
    someEmailHasDirection: z
      .enum(['INBOUND', 'OUTBOUND'])
      .optional()
      .describe(`Only threads with such an email. ${directionText}`),
    someEmailHasStatus: z
      .enum(v1Statuses)
      .optional()
      .describe('Only threads with an email or draft of this status.'),
    staleThresholdDays: z
      .int()
      .min(1)
      .max(365)
      .default(7)
      .describe('Days without an email after which a thread is `stale`.'),
    sortBy: z
      .enum(threadOrders)
      .default('lastEmailAt')
      .describe('Field that orders the threads; equal ones are ordered by creation.'),
    sortOrder: z
      .enum(['asc', 'desc'])
      .default('desc')
      .describe('`asc`: the lowest or oldest first; `desc`: the highest or newest first.'),
  })
  // Without a body: every thread.
  .prefault({})
  .meta({
    description: 'Filters, all of which a thread must pass; without any, every thread does.',
    examples: [{ conversationState: 'needs_reply', subjectContains: 'order', limit: 20 }],
  });

/** The search of an input. */
export function v1ThreadSearch(input: z.output<typeof v1ThreadSearchInput>): ThreadSearch {
  const direction = input.someEmailHasDirection;
  return {
    filter: {
      createdAfter: input.createdAfter ?? null,
      createdBefore: input.createdBefore ?? null,
      lastEmailAfter: input.lastEmailAfter ?? null,
      lastEmailBefore: input.lastEmailBefore ?? null,
      participants: input.hasParticipantEmails ?? [],
      from: input.hasEmailFromAddress ?? null,
      to: input.hasEmailToAddress ?? null,
      subject: input.subjectContains ?? null,
      direction: direction === undefined ? null : direction === 'INBOUND' ? 'inbound' : 'outbound',
      state: input.conversationState ?? null,
      staleAfterDays: input.staleThresholdDays,
    },
    status: input.someEmailHasStatus === undefined ? null : statusFilter(input.someEmailHasStatus),
    order: { by: input.sortBy, order: input.sortOrder },
    limit: input.limit,
    offset: input.offset,
  };
}

/** `READ` is the status of no email. */
function statusFilter(status: V1Status): StatusFilter | 'draft' {
  if (status === 'DRAFT') return 'draft';
  if (status === 'REJECTED' || status === 'FAILED') {
    return { statuses: ['failed'], isRefused: status === 'REJECTED' };
  }
  const statuses = Object.entries(v1StatusTable).flatMap(([current, shown]) =>
    shown === status ? [current as EmailStatus] : [],
  );
  return { statuses, isRefused: null };
}
