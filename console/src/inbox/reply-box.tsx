/** Answers a message as the person who received it. */
import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { Button } from '../kit/button.tsx';
import { Select, TextArea } from '../kit/field.tsx';
import { ProblemNotice } from '../kit/problem-notice.tsx';
import { control, type Delivered, type Mail, mailRoute, type Style } from './control.ts';
import { FileDrop } from './file-drop.tsx';
import { type ChosenFile, sentFiles } from './files.ts';

export const styleChoices = [
  { value: 'gmail', label: 'Gmail' },
  { value: 'outlook', label: 'Outlook' },
  { value: 'apple', label: 'Apple Mail' },
];

export const verdictChoices = [
  { value: 'pass', label: 'pass SPF, DKIM and DMARC' },
  { value: 'none', label: 'prove nothing' },
  { value: 'spam', label: 'look like spam' },
];

const styleKey = 'inbox.style';

/** The style that was used last. */
export function useStyle(): [Style, (style: string) => void] {
  const [style, setStyle] = useState(() => localStorage.getItem(styleKey) ?? 'gmail');
  const known = styleChoices.some(({ value }) => value === style) ? style : 'gmail';
  return [
    known as Style,
    (next) => {
      localStorage.setItem(styleKey, next);
      setStyle(next);
    },
  ];
}

interface ReplyBoxProps {
  readonly mail: Mail;
  readonly isToAll: boolean;
  readonly onClose: () => void;
  readonly onSent: (answer: Delivered) => void;
}

export function ReplyBox({ mail, isToAll, onClose, onSent }: ReplyBoxProps) {
  const [text, setText] = useState('Thank you!');
  const [style, setStyle] = useStyle();
  const [verdicts, setVerdicts] = useState('pass');
  const [files, setFiles] = useState<readonly ChosenFile[]>([]);
  const form = useRef<HTMLFormElement>(null);
  const send = useMutation({
    mutationFn: () =>
      control<Delivered>('POST', `${mailRoute(mail.person, mail.id)}/replies`, {
        ...{ text, style, verdicts, all: isToAll, files: sentFiles(files) },
      }),
    onSuccess: onSent,
  });
  useEffect(() => {
    const field = form.current?.querySelector('textarea');
    field?.focus();
    field?.select();
    form.current?.scrollIntoView({ block: 'nearest' });
  }, []);
  return (
    <form
      ref={form}
      className="reply-box"
      aria-label={`Reply as ${mail.person}`}
      onSubmit={(event) => {
        event.preventDefault();
        send.mutate();
      }}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) send.mutate();
        if (event.key === 'Escape') onClose();
      }}
    >
      <FileDrop files={files} onFiles={setFiles}>
        <TextArea
          label={`${isToAll ? 'Reply to all' : 'Reply'} as ${mail.person}`}
          rows={5}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
      </FileDrop>
      <ProblemNotice error={send.error} />
      <div className="reply-foot">
        <Button kind="primary" type="submit" isBusy={send.isPending} title="Ctrl+Enter">
          Send
        </Button>
        <Button onClick={onClose}>Discard</Button>
        <Select
          label="Quote as"
          choices={styleChoices}
          value={style}
          onChange={(event) => setStyle(event.target.value)}
        />
        <Select
          label="Checks"
          choices={verdictChoices}
          value={verdicts}
          onChange={(event) => setVerdicts(event.target.value)}
        />
      </div>
    </form>
  );
}
