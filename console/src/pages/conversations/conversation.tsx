/** A conversation: its marks, its messages, the answer. */
import { useInfiniteQuery } from '@tanstack/react-query';
import type { FullEmail, ThreadWithMessages } from 'parley-client';
import { useEffect, useRef, useState } from 'react';
import { useLocation } from 'react-router';
import { useRefetchMs } from '../../api/live.tsx';
import { brand, parley } from '../../api/parley.ts';
import { useAction } from '../../api/queries.ts';
import { useMay } from '../../api/session.ts';
import { Button, ButtonLink } from '../../kit/button.tsx';
import { CopyButton } from '../../kit/copy.tsx';
import { Icon } from '../../kit/icon.tsx';
import { ProblemNotice } from '../../kit/problem-notice.tsx';
import { Loading } from '../../kit/progress.tsx';
import { Claim } from './claim.tsx';
import { Composer, type ComposerMode } from './composer.tsx';
import { Labels } from './labels.tsx';
import { Message } from './message.tsx';
import { RemoveConversation } from './remove.tsx';
import { isUnsent, peopleOf, subjectOf } from './words.ts';

/** Mail that is on its way changes by the second. */
const isOnItsWay = (email: FullEmail) => isUnsent(email) && email.status !== 'scheduled';

function useThread(threadId: string) {
  const [soonMs, laterMs] = [useRefetchMs(2_000), useRefetchMs(10_000)];
  return useInfiniteQuery({
    queryKey: ['threads', 'one', threadId],
    queryFn: ({ pageParam }) =>
      parley.threads.retrieve(threadId, { message_cursor: pageParam, message_limit: 50 }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next_message_cursor: next }: ThreadWithMessages) => next ?? undefined,
    refetchInterval: ({ state }) =>
      state.data?.pages.some(({ messages }) => messages.some(isOnItsWay)) ? soonMs : laterMs,
  });
}

export function Conversation({ threadId }: { readonly threadId: string }) {
  const query = useThread(threadId);
  const { search } = useLocation();
  const [mode, setMode] = useState<ComposerMode | null>(null);
  const thread = query.data?.pages[0];
  useMarkRead(thread);
  if (query.isPending) return <Loading rows={4} />;
  if (!thread) return <ProblemNotice error={query.error} />;
  const messages = query.data?.pages.flatMap((page) => page.messages) ?? [];
  return (
    <article className="conversation">
      <title>{`${subjectOf(thread.subject)} · ${brand}`}</title>
      <header className="conversation-header">
        <ButtonLink to={`/conversations${search}`} kind="quiet" small className="back-to-list">
          <Icon name="back" /> Conversations
        </ButtonLink>
        <h1 title={subjectOf(thread.subject)}>{subjectOf(thread.subject)}</h1>
        <p className="soft">
          {peopleOf(thread.participants, thread.mailbox)} with {thread.mailbox}
        </p>
        <Marks thread={thread} />
      </header>
      <Messages messages={messages} />
      {query.hasNextPage && (
        <Button onClick={() => void query.fetchNextPage()} isBusy={query.isFetchingNextPage}>
          Load later messages
        </Button>
      )}
      <ProblemNotice error={query.error} />
      <Answer thread={thread} messages={messages} mode={mode} setMode={setMode} />
    </article>
  );
}

/** Opening a conversation reads it. */
function useMarkRead(thread: ThreadWithMessages | undefined): void {
  const mayWrite = useMay('sending');
  const marked = useRef(false);
  const { mutate } = useAction((id: string) => parley.threads.update(id, { read: true }), {
    changed: [['threads']],
  });
  useEffect(() => {
    if (!thread || marked.current) return;
    marked.current = true;
    if (mayWrite && thread.read === false) mutate(thread.id);
  }, [thread, mayWrite, mutate]);
}

function Messages({ messages }: { readonly messages: readonly FullEmail[] }) {
  const { hash } = useLocation();
  const linked = hash.slice(1);
  const newest = messages.at(-1)?.id;
  useEffect(() => {
    if (linked) document.getElementById(linked)?.scrollIntoView({ block: 'start' });
  }, [linked]);
  return (
    <ol className="messages" aria-label="Messages">
      {messages.map((email) => (
        <li key={email.id} id={email.id}>
          <Message
            email={email}
            isOpen={email.id === newest || email.id === linked || messages.length <= 3}
            isOnly={messages.length === 1}
          />
        </li>
      ))}
    </ol>
  );
}

function Marks({ thread }: { readonly thread: ThreadWithMessages }) {
  const mayWrite = useMay('sending');
  const unread = useAction(() => parley.threads.update(thread.id, { read: false }), {
    changed: [['threads']],
    done: 'Marked as unread.',
  });
  return (
    <div className="marks">
      <Labels thread={thread} />
      <Claim thread={thread} />
      {mayWrite && (
        <Button small kind="quiet" onClick={() => unread.mutate(undefined)} isBusy={unread.isPending}>
          Mark unread
        </Button>
      )}
      <CopyButton text={thread.id} what="the id of the conversation" label="Copy id" />
      <RemoveConversation thread={thread} />
      <ProblemNotice error={unread.error} />
    </div>
  );
}

function Answer({
  thread,
  messages,
  mode,
  setMode,
}: {
  readonly thread: ThreadWithMessages;
  readonly messages: readonly FullEmail[];
  readonly mode: ComposerMode | null;
  readonly setMode: (mode: ComposerMode | null) => void;
}) {
  if (!useMay('sending')) return <p className="soft">Your role reads: members and owners can answer.</p>;
  if (mode)
    return (
      <Composer key={mode} mode={mode} thread={thread} messages={messages} onDone={() => setMode(null)} />
    );
  return (
    <div className="answer-bar">
      <Button kind="primary" onClick={() => setMode('reply')}>
        <Icon name="reply" /> Reply
      </Button>
      <Button onClick={() => setMode('reply-all')}>Reply all</Button>
      <Button onClick={() => setMode('forward')}>
        <Icon name="forward" /> Forward
      </Button>
    </div>
  );
}
