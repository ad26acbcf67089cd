/** A deployment's threads in memory: what is stored when mail goes out and comes in, found by the product's own rules. */
import {
  composeId,
  type EmailId,
  type SpaceId,
  type ThreadId,
  type WorkspaceId,
} from '../../lib/core/ids.ts';
import { ownEmailId, ownMessageId, sesIdOf, wireMessageId } from '../../lib/core/mail/message-ids.ts';
import { parseMime } from '../../lib/core/mail/parse-mime.ts';
import type { Thread } from '../../lib/core/thread.ts';
import { mergeParticipants } from '../../lib/core/threading/participants.ts';
import {
  addressesOfMessage,
  resolveThread,
  type ThreadLookups,
} from '../../lib/services/threads/resolve-thread.ts';
import type { Random } from './random.ts';

/** Who receives: a space of a workspace. */
export interface Home {
  readonly workspaceId: WorkspaceId;
  readonly spaceId: SpaceId | null;
}

/** A mail of ours, as its recipients saw it. */
export interface Sent {
  readonly threadId: ThreadId;
  /** Ids on the wire, one for each hand-off. */
  readonly wireIds: readonly [string, ...string[]];
  /** Our own id is the last. */
  readonly references: readonly string[];
}

export interface Outgoing {
  readonly home: Home;
  readonly from: string;
  readonly to: readonly string[];
  readonly subject: string;
  /** The thread it continues, and the chain of ids so far. */
  readonly continues: { readonly threadId: ThreadId; readonly references: readonly string[] } | null;
  readonly handOffs: number;
}

export interface World {
  send(mail: Outgoing, at: number): Sent;
  /** The thread that a message comes to lie in. */
  receive(raw: string, home: Home, recipient: string, at: number): Promise<ThreadId>;
}

interface Indexed {
  threadId?: ThreadId;
  waitingThread?: ThreadId;
}

/** The stand-ins follow `lib/storage/message-ids.ts` and `lib/storage/threads.ts`; everything else is the product. */
export function newWorld(random: Random): World {
  const emails = new Map<string, { threadId: ThreadId; spaceId: SpaceId | null }>();
  const index = new Map<string, Indexed>();
  const threads = new Map<string, Thread>();
  let made = 0;
  const newBytes = () => {
    made++;
    return new Uint8Array([0, 0, 0, 0, 0, 0, made >> 24, made >> 16, made >> 8, made]);
  };

  const comparable = (id: string) => sesIdOf(id) ?? id;
  const keyOf = ({ workspaceId, spaceId }: Home, id: string) => `${workspaceId} ${spaceId} ${comparable(id)}`;
  const entry = (home: Home, id: string): Indexed => {
    const key = keyOf(home, id);
    const found = index.get(key) ?? {};
    index.set(key, found);
    return found;
  };
  const lookUps: ThreadLookups = {
    findThreadsByMessageId: async (workspaceId, spaceId, ids) => {
      const found = new Map();
      for (const id of ids) {
        const own = ownEmailId(id);
        const email = own && emails.get(`${workspaceId} ${own}`);
        if (email && email.spaceId === spaceId) found.set(id, { threadId: email.threadId, isMissing: false });
        const item = own ? undefined : index.get(keyOf({ workspaceId, spaceId }, id));
        const threadId = item?.threadId ?? item?.waitingThread;
        if (threadId) found.set(id, { threadId, isMissing: item?.threadId === undefined });
      }
      return found;
    },
    findThread: async (workspaceId, id) => threads.get(`${workspaceId} ${id}`) ?? null,
    recentThreads: async (workspaceId, mailbox, since) =>
      [...threads]
        .filter(([key]) => key.startsWith(workspaceId))
        .map(([, thread]) => thread)
        .filter((thread) => thread.mailbox === mailbox && thread.lastMessageAt > since),
  };

  function store(
    home: Home,
    thread: Pick<Thread, 'id' | 'subject' | 'mailbox' | 'participants'>,
    at: number,
  ): EmailId {
    const id = composeId('eml', at, newBytes());
    emails.set(`${home.workspaceId} ${id}`, { threadId: thread.id, spaceId: home.spaceId });
    const before = threads.get(`${home.workspaceId} ${thread.id}`);
    threads.set(`${home.workspaceId} ${thread.id}`, {
      messageCount: 1,
      createdAt: at,
      forwardOf: null,
      snippet: '',
      positions: [],
      version: 1,
      spaceId: home.spaceId,
      ...thread,
      ...(before && { subject: before.subject, mailbox: before.mailbox }),
      participants: mergeParticipants(before?.participants ?? [], thread.participants),
      newestEmailId: id,
      lastMessageAt: at,
    });
    return id;
  }

  return {
    send: ({ home, from, to, subject, continues, handOffs }, at) => {
      const threadId = continues?.threadId ?? composeId('thr', at, newBytes());
      const participants = [from, ...to].map((address) => ({ name: null, address }));
      const id = store(home, { id: threadId, subject, mailbox: from, participants }, at);
      const newWire = () =>
        wireMessageId('eu-central-1', `0107${random.token(16)}-${random.token(8)}-000000`);
      const wireIds: [string, ...string[]] = [
        newWire(),
        ...Array.from({ length: handOffs - 1 }, () => newWire()),
      ];
      for (const wireId of wireIds) entry(home, wireId).threadId ??= threadId;
      return {
        threadId,
        wireIds,
        references: [...(continues?.references ?? []), ownMessageId(id, from.split('@')[1] ?? '')],
      };
    },
    receive: async (raw, home, recipient, at) => {
      const message = await parseMime(Buffer.from(raw));
      const place = await resolveThread({ message, holder: home, recipients: [recipient], at }, lookUps);
      const id = place.thread?.id ?? composeId('thr', at, newBytes());
      const participants = addressesOfMessage(message);
      store(home, { id, subject: message.subject, mailbox: recipient, participants }, at);
      if (message.messageId) entry(home, message.messageId).threadId ??= id;
      for (const awaited of place.missingParents) {
        const found = ownEmailId(awaited) ? null : entry(home, awaited);
        if (found && !found.threadId) found.waitingThread ??= id;
      }
      return id;
    },
  };
}
