/** Labels, read state and claims: what workers tell each other about a conversation. */
import * as z from 'zod';
import { threadFacts } from '../mail-facts.ts';
import { tool } from '../tool.ts';
import { label, threadId } from './arguments.ts';

const labels = z.array(label).max(20).optional();
const own = { readOnlyHint: false, idempotentHint: true, openWorldHint: false } as const;

export const markThread = tool({
  name: 'mark_thread',
  title: 'Label a thread or mark it as read',
  description:
    'Adds and removes labels of a conversation, and marks it as read or unread. Nothing is sent. The next message of a ' +
    'person makes it unread again.',
  scope: 'draft',
  annotations: { ...own, destructiveHint: false },
  input: z.strictObject({
    thread_id: threadId,
    add: labels.describe('Labels to add.'),
    remove: labels.describe('Labels to remove.'),
    read: z.boolean().optional().describe('true: read; false: unread. Default: as it is.'),
  }),
  async run({ thread_id: id, add, remove, read }, { parley, signal }) {
    const changes = {
      ...((add ?? remove) && { labels: { ...(add && { add }), ...(remove && { remove }) } }),
      ...(read !== undefined && { read }),
    };
    return threadFacts(await parley.threads.update(id, changes, { signal }));
  },
});

export const claimThread = tool({
  name: 'claim_thread',
  title: 'Claim or release a thread',
  description:
    'Claims a conversation for one worker, so that no other worker answers it meanwhile; or releases it. Claim, then read ' +
    'the thread, then answer with claim_owner in reply_to_thread, then release.',
  scope: 'draft',
  annotations: { ...own, destructiveHint: false },
  input: z.strictObject({
    thread_id: threadId,
    owner: z.string().min(1).max(200).describe('The name of the worker, the same in every call.'),
    seconds: z.int().min(10).max(3600).default(600).describe('How long the claim lasts; default 600.'),
    release: z.boolean().default(false).describe('true: ends the claim of this owner.'),
  }),
  async run({ thread_id: id, owner, seconds, release }, { parley, signal }) {
    if (release) {
      await parley.threads.release(id, { owner }, { signal });
      return { thread_id: id, claim: null };
    }
    const claim = await parley.threads.claim(id, { owner, ttl_seconds: seconds }, { signal });
    return { thread_id: id, claim: { owner: claim.owner, expires_at: claim.expires_at } };
  },
});
