/** Writes an answer or a forward: recipients, text, files, time, pacing; sent, or kept as a draft. */
import type { FullEmail, ThreadWithMessages } from 'parley-client';
import { type FormEvent, type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { parley } from '../../api/parley.ts';
import { useAction } from '../../api/queries.ts';
import { Button } from '../../kit/button.tsx';
import { TextArea, TextField } from '../../kit/field.tsx';
import { ProblemNotice } from '../../kit/problem-notice.tsx';
import { ChosenFiles, DropZone, filesFit } from './chosen-files.tsx';
import { type Sending, SendOptions, sendingAtFirst, sendingFields } from './send-options.tsx';
import { addressesIn } from './words.ts';

export type ComposerMode = 'reply' | 'reply-all' | 'forward';

const titles: Readonly<Record<ComposerMode, string>> = {
  reply: 'Reply',
  'reply-all': 'Reply to all',
  forward: 'Forward',
};

/** Who gets a reply without `to`, as far as the page knows; the service decides. */
function expectedRecipient(messages: readonly FullEmail[]): string {
  const received = messages.findLast(
    ({ direction, category }) => direction === 'inbound' && category !== 'bounce',
  );
  if (received) return received.reply_to[0] ?? received.from.address;
  return messages.findLast(({ direction }) => direction === 'outbound')?.to.join(', ') ?? '';
}

export function Composer({
  mode,
  thread,
  messages,
  onDone,
}: {
  readonly mode: ComposerMode;
  readonly thread: ThreadWithMessages;
  readonly messages: readonly FullEmail[];
  readonly onDone: () => void;
}) {
  const [to, setTo] = useState('');
  const [text, setText] = useState('');
  const [files, setFiles] = useState<readonly File[]>([]);
  const [sending, setSending] = useState<Sending>(sendingAtFirst);
  const form = useRef<HTMLFormElement>(null);
  useEffect(
    () => form.current?.querySelector<HTMLElement>(mode === 'forward' ? 'input' : 'textarea')?.focus(),
    [mode],
  );

  const send = useAction(
    (asDraft: boolean) => {
      const shared = {
        ...sendingFields(sending),
        ...(asDraft && { draft: true }),
        ...(files.length > 0 && { attachments: files }),
      };
      if (mode === 'forward') {
        return parley.threads.forward(thread.id, {
          ...shared,
          to: addressesIn(to),
          ...(text.trim() && { note: text }),
        });
      }
      const recipients = addressesIn(to);
      return parley.threads.reply(thread.id, {
        ...shared,
        text,
        reply_all: mode === 'reply-all',
        ...(recipients.length > 0 && { to: recipients }),
      });
    },
    {
      changed: [['threads'], ['emails'], ['drafts']],
      done: ({ status }) => sentWords[status] ?? 'On its way.',
    },
  );
  const submit = (asDraft: boolean) => send.mutate(asDraft, { onSuccess: onDone });
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) form.current?.requestSubmit();
  };
  return (
    <DropZone onFiles={(more) => setFiles([...files, ...more])}>
      <form
        ref={form}
        className="composer"
        aria-label={titles[mode]}
        onKeyDown={onKeyDown}
        onSubmit={(event: FormEvent) => {
          event.preventDefault();
          submit(false);
        }}
      >
        <h2>{titles[mode]}</h2>
        <Recipients mode={mode} messages={messages} to={to} onChange={setTo} />
        <TextArea
          label={mode === 'forward' ? 'Note above the conversation' : 'Message'}
          rows={8}
          required={mode !== 'forward'}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
        <ChosenFiles files={files} onChange={setFiles} />
        <SendOptions sending={sending} isReply={mode !== 'forward'} onChange={setSending} />
        <ProblemNotice error={send.error} />
        <ComposerActions
          isScheduled={sending.at !== ''}
          isBusy={send.isPending}
          canSend={filesFit(files)}
          onDraft={() => form.current?.reportValidity() && submit(true)}
          onClose={onDone}
        />
      </form>
    </DropZone>
  );
}

function Recipients({
  mode,
  messages,
  to,
  onChange,
}: {
  readonly mode: ComposerMode;
  readonly messages: readonly FullEmail[];
  readonly to: string;
  readonly onChange: (to: string) => void;
}) {
  const isForward = mode === 'forward';
  return (
    <TextField
      label="To"
      placeholder={isForward ? 'sales@example.com, ben@example.com' : expectedRecipient(messages)}
      hint={isForward ? undefined : 'Empty: the author of the newest message from outside.'}
      required={isForward}
      value={to}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}

function ComposerActions({
  isScheduled,
  isBusy,
  canSend,
  onDraft,
  onClose,
}: {
  readonly isScheduled: boolean;
  readonly isBusy: boolean;
  readonly canSend: boolean;
  readonly onDraft: () => void;
  readonly onClose: () => void;
}) {
  return (
    <div className="actions">
      <Button type="submit" kind="primary" isBusy={isBusy} disabled={!canSend}>
        {isScheduled ? 'Schedule' : 'Send'}
      </Button>
      <Button onClick={onDraft} disabled={isBusy || !canSend}>
        Save as draft
      </Button>
      <Button kind="quiet" onClick={onClose}>
        Close
      </Button>
      <span className="soft composer-hint">
        <kbd>Ctrl</kbd> <kbd>Enter</kbd> sends
      </span>
    </div>
  );
}

export const sentWords: Readonly<Record<string, string>> = {
  draft: 'Kept as a draft. Nothing is sent until somebody approves it.',
  scheduled: 'Scheduled.',
  queued: 'On its way.',
};
