/** The search of version 1: its input, and the threads that it finds (docs/concepts/v1.md#search). */
import * as z from 'zod';
import type { EmailStatus } from '../../../core/emails/email.ts';
import { limits } from '../../../core/limits.ts';
import type { DraftThread } from '../../../core/threads/draft.ts';
import { conversationStates, threadOrders } from '../../../core/threads/thread-search.ts';
import { normalizeAddress } from '../../../mail/addresses/addresses.ts';
import type { StatusFilter, ThreadSearch } from '../../../services/reading/search-threads.ts';
import { idSchema, nullableText, timestampInput, timestampOf, timestampSchema } from '../../schemas.ts';
import { type V1Status, v1Statuses, v1StatusTable } from './email.ts';

export const v1ThreadSummarySchema = z
  .strictObject({
    id: idSchema('thr'),
    createdAt: timestampSchema,
    updatedAt: timestampSchema,
    subject: nullableText('Your order'),
    snippet: nullableText('It is on its way.'),
    lastEmailAt: timestampSchema,
    participantEmails: z.array(z.string()).meta({ examples: [['support@acme.dev', 'anna@example.com']] }),
    emailCount: z.int().meta({ examples: [2] }),
  })
  .meta({ id: 'V1ThreadSummary' });

export const v1ThreadsSchema = z
  .strictObject({
    threads: z.array(v1ThreadSummarySchema),
    pagination: z
      .strictObject({
        total: z.int().meta({ examples: [1], description: 'Threads that match.' }),
        limit: z.int().meta({ examples: [20] }),
        offset: z.int().meta({ examples: [0] }),
        hasMore: z.boolean().meta({ examples: [false] }),
      })
      .meta({ id: 'V1Pagination' }),
  })
  .meta({ id: 'V1Threads' });

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
  });

export const v1ThreadSearchInput = z
  .strictObject({
    limit: z.int().min(1).max(limits.pageSize).default(20),
    offset: z.int().min(0).default(0),
    createdAfter: timestampInput.optional(),
    createdBefore: timestampInput.optional(),
    lastEmailAfter: timestampInput.optional(),
    lastEmailBefore: timestampInput.optional(),
    hasParticipantEmails: z
      .array(address)
      .max(limits.recipientsPerField)
      .optional()
      .describe('All of them take part in the thread.'),
    hasEmailFromAddress: address.optional(),
    hasEmailToAddress: address.optional(),
    subjectContains: z.string().max(limits.subjectCharacters).optional().describe('Without case.'),
    conversationState: z.enum(conversationStates).optional(),
    someEmailHasDirection: z.enum(['INBOUND', 'OUTBOUND']).optional(),
    someEmailHasStatus: z.enum(v1Statuses).optional(),
    staleThresholdDays: z
      .int()
      .min(1)
      .max(365)
      .default(7)
      .describe('Days without an email after which a thread is `stale`.'),
    sortBy: z.enum(threadOrders).default('lastEmailAt'),
    sortOrder: z.enum(['asc', 'desc']).default('desc'),
  })
  // Without a body: every thread.
  .prefault({})
  .meta({
    id: 'V1ThreadSearch',
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
