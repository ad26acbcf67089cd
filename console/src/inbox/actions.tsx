/** What the person does with a message: answer it, and all else that a mail program or a mail server does. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../kit/button.tsx';
import { Icon } from '../kit/icon.tsx';
import { ProblemNotice } from '../kit/problem-notice.tsx';
import { Timeline } from '../kit/timeline.tsx';
import { control, type Delivered, type Mail, mailRoute } from './control.ts';
import { ReplyBox } from './reply-box.tsx';

interface Fetched {
  readonly status: number;
  readonly location: string | null;
}

interface Reaction {
  readonly path: string;
  readonly label: string;
  readonly title: string;
  readonly body?: object;
  readonly isPossible: (mail: Mail) => boolean;
}

const isOfSes = ({ ses }: Mail) => ses !== null;

const reactions: readonly Reaction[] = [
  {
    path: 'open',
    label: 'Open',
    title: 'Loads the open-tracking pixel as a mail program does',
    isPossible: ({ has_pixel }) => has_pixel,
  },
  {
    path: 'click',
    label: 'Click',
    title: 'Follows the first tracked link',
    isPossible: ({ links }) => links.some(({ isTracked }) => isTracked),
  },
  {
    path: 'unsubscribe',
    label: 'Unsubscribe',
    title: 'Unsubscribes with one click, as Gmail does',
    isPossible: ({ unsubscribe }) => unsubscribe !== null,
  },
  {
    path: 'auto-reply',
    label: 'Auto-reply',
    title: 'Answers as an out-of-office program',
    isPossible: ({ direction }) => direction === 'received',
  },
  {
    path: 'bounce',
    label: 'Bounce',
    title: 'The address does not exist',
    body: { kind: 'hard' },
    isPossible: isOfSes,
  },
  {
    path: 'bounce',
    label: 'Soft bounce',
    title: 'The mailbox is full',
    body: { kind: 'soft' },
    isPossible: isOfSes,
  },
  { path: 'complain', label: 'Complain', title: 'Reports the message as spam', isPossible: isOfSes },
];

export function Actions({ mail }: { readonly mail: Mail }) {
  const [reply, setReply] = useState<'one' | 'all' | null>(null);
  const [outcomes, setOutcomes] = useState<readonly string[]>([]);
  const client = useQueryClient();
  const tell = (text: string) => setOutcomes((known) => [...known, text].slice(-5));
  const act = useMutation({
    mutationFn: ({ path, body = {} }: Reaction) =>
      control<Delivered | Fetched | { readonly fetched: readonly Fetched[] } | undefined>(
        'POST',
        `${mailRoute(mail.person, mail.id)}/${path}`,
        body,
      ),
    onSuccess: (answer, { label }) => {
      tell(`${label}: ${outcomeText(answer)}`);
      return client.invalidateQueries({ queryKey: ['mail', mail.person, mail.id] });
    },
  });
  const others = mail.to.length + mail.cc.length > 1;
  return (
    <div className="actions-area">
      <div className="message-actions">
        <Button kind="primary" onClick={() => setReply('one')}>
          <Icon name="reply" /> Reply
        </Button>
        {others && <Button onClick={() => setReply('all')}>Reply all</Button>}
        {reactions
          .filter(({ isPossible }) => isPossible(mail))
          .map((reaction) => (
            <Button
              key={reaction.label}
              kind="quiet"
              title={reaction.title}
              onClick={() => act.mutate(reaction)}
              disabled={act.isPending}
            >
              {reaction.label}
            </Button>
          ))}
      </div>
      <ProblemNotice error={act.error} />
      <div role="status" className="outcomes">
        {outcomes.map((text, at) => (
          <p key={at}>{text}</p>
        ))}
      </div>
      {reply && (
        <ReplyBox
          mail={mail}
          isToAll={reply === 'all'}
          onClose={() => setReply(null)}
          onSent={(answer) => {
            tell(`Reply: ${outcomeText(answer)}`);
            setReply(null);
          }}
        />
      )}
    </div>
  );
}

/** The events of SES about the message. */
export function Told({ mail }: { readonly mail: Mail }) {
  if (mail.events.length === 0) return null;
  return (
    <Timeline
      label="What SES told of the message"
      entries={mail.events.map(({ type, at, detail }, index) => ({
        id: String(index),
        at,
        title: type.toLowerCase().replaceAll('_', ' '),
        detail,
        tone: type === 'BOUNCE' || type === 'COMPLAINT' || type === 'REJECT' ? 'bad' : 'neutral',
      }))}
    />
  );
}

function outcomeText(
  answer: Delivered | Fetched | { readonly fetched: readonly Fetched[] } | undefined,
): string {
  if (answer === undefined) return 'SES reports it to the service.';
  if ('fetched' in answer) {
    return `the service answered ${answer.fetched.map(({ status }) => status).join(', ')}. Within ten seconds of the delivery it counts as a scanner.`;
  }
  if ('status' in answer) {
    return `the service answered ${answer.status}${answer.location ? ` and leads to ${answer.location}` : ''}.`;
  }
  const to = [...answer.received, ...answer.people];
  return `delivered to ${to.join(', ') || 'nobody'}.`;
}
