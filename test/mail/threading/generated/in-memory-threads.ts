/** An in-memory stand-in for the thread and Message-ID stores; joining itself is the product's code. */

import {
  comparableId,
  ownEmailId,
  ownMessageId,
  wireMessageId,
} from '../../../../lib/core/emails/message-ids.ts';
import {
  composeId,
  type EmailId,
  type SpaceId,
  type ThreadId,
  type WorkspaceId,
} from '../../../../lib/core/ids.ts';
import {
  mailboxesOf,
  mergeMailboxes,
  noCorrespondence,
  type Thread,
} from '../../../../lib/core/threads/thread.ts';
import { parseMime } from '../../../../lib/mail/message/parse-mime.ts';
import { candidateIds } from '../../../../lib/mail/threading/cited-ids.ts';
import { mergeParticipants } from '../../../../lib/mail/threading/participants.ts';
import { isSameSubject } from '../../../../lib/mail/threading/subject.ts';
import {
  addressesOfMessage,
  resolveThread,
  type ThreadLookups,
} from '../../../../lib/services/threads/resolve-thread.ts';
import type { IndexedId } from '../../../../lib/storage/emails/message-ids.ts';
import type { Random } from '../../../../scripts/random.ts';

/** The receiving space of a workspace. */
export interface Scope {
  readonly workspaceId: WorkspaceId;
  readonly spaceId: SpaceId | null;
}

/** A sent email, as its recipients received it. */
export interface Sent {
  readonly threadId: ThreadId;
  /** Message-IDs on the wire, one for each submission. */
  readonly wireIds: readonly [string, ...string[]];
  /** Our own id is the last. */
  readonly references: readonly string[];
}

export interface Outgoing {
  readonly scope: Scope;
  readonly from: string;
  readonly to: readonly string[];
  readonly subject: string;
  /** The thread and the chain of ids that it continues. */
  readonly continues: { readonly threadId: ThreadId; readonly references: readonly string[] } | null;
  readonly submissions: number;
}

export interface InMemoryThreads {
  send(mail: Outgoing, at: number): Sent;
  /** The thread that a message joins. */
  receive(raw: string, scope: Scope, recipient: string, at: number): Promise<ThreadId>;
}

interface Indexed {
  threadId?: ThreadId;
  waitingThread?: ThreadId;
}

/** What the stores hold. Follows `lib/storage/emails/message-ids.ts` and `lib/storage/threads/threads.ts`. */
interface Stores {
  readonly emails: Map<string, { threadId: ThreadId; spaceId: SpaceId | null }>;
  /** Message-IDs by `keyOf`. */
  readonly index: Map<string, Indexed>;
  readonly threads: Map<string, Thread>;
}

const keyOf = ({ workspaceId, spaceId }: Scope, id: string): string =>
  `${workspaceId} ${spaceId} ${comparableId(id)}`;

function knownIds({ emails, index }: Stores, scope: Scope, ids: readonly string[]): Map<string, IndexedId> {
  const found = new Map<string, IndexedId>();
  for (const id of ids) {
    const own = ownEmailId(id);
    const email = own && emails.get(`${scope.workspaceId} ${own}`);
    const rest = { emailId: own, fingerprint: null };
    if (email && email.spaceId === scope.spaceId)
      found.set(id, { threadId: email.threadId, isMissing: false, ...rest });
    const item = own ? undefined : index.get(keyOf(scope, id));
    const threadId = item?.threadId ?? item?.waitingThread;
    if (threadId) found.set(id, { threadId, isMissing: item?.threadId === undefined, ...rest });
  }
  return found;
}

function lookUpsOf({ threads }: Stores): ThreadLookups {
  return {
    findThreads: async (workspaceId, ids) => ids.flatMap((id) => threads.get(`${workspaceId} ${id}`) ?? []),
    findThreadsBySubject: async (workspaceId, { spaceId, mailbox, subject }) =>
      [...threads]
        .filter(([key]) => key.startsWith(workspaceId))
        .map(([, thread]) => thread)
        .filter(
          (thread) =>
            thread.spaceId === spaceId &&
            mailboxesOf(thread).includes(mailbox) &&
            isSameSubject(subject, thread.subject),
        ),
  };
}

/** Stores an email of a thread, which it creates where there is none. */
function storeEmail(
  { emails, threads }: Stores,
  scope: Scope,
  id: EmailId,
  thread: Pick<Thread, 'id' | 'subject' | 'mailbox' | 'participants'>,
  at: number,
): void {
  emails.set(`${scope.workspaceId} ${id}`, { threadId: thread.id, spaceId: scope.spaceId });
  const before = threads.get(`${scope.workspaceId} ${thread.id}`);
  threads.set(`${scope.workspaceId} ${thread.id}`, {
    messageCount: 1,
    createdAt: at,
    forwardOf: null,
    correspondence: noCorrespondence,
    snippet: '',
    activity: [],
    labels: [],
    unread: false,
    claim: null,
    version: 1,
    spaceId: scope.spaceId,
    ...thread,
    ...(before && { subject: before.subject, mailbox: before.mailbox }),
    participants: mergeParticipants(before?.participants ?? [], thread.participants),
    otherMailboxes: before ? mergeMailboxes(before, [thread.mailbox]) : [],
    newestEmailId: id,
    lastMessageAt: at,
  });
}

export function newInMemoryThreads(random: Random): InMemoryThreads {
  const stores: Stores = { emails: new Map(), index: new Map(), threads: new Map() };
  const lookUps = lookUpsOf(stores);
  let created = 0;
  const newBytes = () => {
    created++;
    return new Uint8Array([0, 0, 0, 0, 0, 0, created >> 24, created >> 16, created >> 8, created]);
  };
  const entry = (scope: Scope, id: string): Indexed => {
    const key = keyOf(scope, id);
    const found = stores.index.get(key) ?? {};
    stores.index.set(key, found);
    return found;
  };
  const store = (scope: Scope, thread: Parameters<typeof storeEmail>[3], at: number): EmailId => {
    const id = composeId('eml', at, newBytes());
    storeEmail(stores, scope, id, thread, at);
    return id;
  };

  return {
    send: ({ scope, from, to, subject, continues, submissions }, at) => {
      const threadId = continues?.threadId ?? composeId('thr', at, newBytes());
      const participants = [from, ...to].map((address) => ({ name: null, address }));
      const id = store(scope, { id: threadId, subject, mailbox: from, participants }, at);
      const newWire = () =>
        wireMessageId('eu-central-1', `0107${random.token(16)}-${random.token(8)}-000000`);
      const wireIds: [string, ...string[]] = [
        newWire(),
        ...Array.from({ length: submissions - 1 }, () => newWire()),
      ];
      for (const wireId of wireIds) entry(scope, wireId).threadId ??= threadId;
      return {
        threadId,
        wireIds,
        references: [...(continues?.references ?? []), ownMessageId(id, from.split('@')[1] ?? '')],
      };
    },
    receive: async (raw, scope, recipient, at) => {
      const message = await parseMime(Buffer.from(raw));
      const own = message.messageId === null ? [] : [message.messageId];
      const known = knownIds(stores, scope, [...candidateIds(message), ...own]);
      const resolution = await resolveThread(
        { message, known, scope, recipients: [recipient], at, suspicious: false },
        lookUps,
      );
      const id = resolution.thread?.id ?? composeId('thr', at, newBytes());
      const participants = addressesOfMessage(message);
      store(scope, { id, subject: message.subject, mailbox: recipient, participants }, at);
      if (message.messageId) entry(scope, message.messageId).threadId ??= id;
      for (const parent of resolution.missingParents) {
        const found = ownEmailId(parent) ? null : entry(scope, parent);
        if (found && !found.threadId) found.waitingThread ??= id;
      }
      return id;
    },
  };
}
