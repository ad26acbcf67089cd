/** Asks before a conversation or a message is deleted for good. */
import type { FullEmail, ThreadWithMessages } from 'parley-client';
import { useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { parley } from '../../api/parley.ts';
import { useAction } from '../../api/queries.ts';
import { ConfirmDialog } from '../../kit/dialog.tsx';
import { GuardedButton } from '../../kit/guarded.tsx';
import { nameOf } from './words.ts';

const finality = (
  <p>
    This cannot be undone. What is at Google or Microsoft stays there, and what webhooks were told is with
    their receivers.
  </p>
);

function useGoToList(): () => void {
  const navigate = useNavigate();
  const { search } = useLocation();
  return () => void navigate(`/conversations${search}`);
}

export function RemoveConversation({ thread: { id } }: { readonly thread: ThreadWithMessages }) {
  const [isAsking, setAsking] = useState(false);
  const goToList = useGoToList();
  const remove = useAction(() => parley.threads.delete(id), {
    changed: [['threads'], ['emails'], ['drafts']],
    gone: ['threads', 'one', id],
    done: 'The conversation is deleted',
  });
  return (
    <>
      <GuardedButton small kind="quiet" onClick={() => setAsking(true)}>
        Delete
      </GuardedButton>
      <ConfirmDialog
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        title="Delete this conversation?"
        loses={
          <>
            <p>All its messages go, with their files and drafts, and the events that show them.</p>
            {finality}
          </>
        }
        action="Delete conversation"
        isBusy={remove.isPending}
        error={remove.error}
        onConfirm={() => remove.mutate(undefined, { onSuccess: goToList })}
      />
    </>
  );
}

/** @param isOnly the conversation goes with the message */
export function RemoveMessage({ email, isOnly }: { readonly email: FullEmail; readonly isOnly: boolean }) {
  const [isAsking, setAsking] = useState(false);
  const goToList = useGoToList();
  const remove = useAction(() => parley.emails.delete(email.id), {
    changed: [['threads'], ['emails']],
    ...(isOnly && { gone: ['threads', 'one', email.thread_id] }),
    done: 'The message is deleted',
  });
  return (
    <>
      <GuardedButton small kind="quiet" onClick={() => setAsking(true)}>
        Delete message
      </GuardedButton>
      <ConfirmDialog
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        title={`Delete the message of ${nameOf(email)}?`}
        loses={
          <>
            <p>
              It goes with its files and the events that show it
              {isOnly ? ', and the conversation with it' : '; the others stay, also where they quote it'}.
            </p>
            {finality}
          </>
        }
        action="Delete message"
        isBusy={remove.isPending}
        error={remove.error}
        onConfirm={() => remove.mutate(undefined, { ...(isOnly && { onSuccess: goToList }) })}
      />
    </>
  );
}
