/** The mail of one person, as that person's mail program shows it: newest first, one message open. */
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { Link } from 'react-router';
import { markedLine } from '../kit/hidden-characters.ts';
import { Icon } from '../kit/icon.tsx';
import { ProblemNotice } from '../kit/problem-notice.tsx';
import { Loading } from '../kit/progress.tsx';
import { Time } from '../kit/time.tsx';
import { control, type MailRow, mailPath, personRoute } from './control.ts';
import { MessageView } from './message-view.tsx';
import { useMails } from './queries.ts';
import { useEndReached } from './shell.tsx';
import { StateBadge } from './state-badge.tsx';

/** The open message. */
export interface ShownMail {
  readonly person: string;
  readonly id: string;
}

interface ConversationProps {
  readonly person: string;
  /** The message of the address bar; null: the newest one. */
  readonly openId: string | null;
  readonly onShown: (shown: ShownMail | null) => void;
}

export function Conversation({ person, openId, onShown }: ConversationProps) {
  const mails = useMails(person);
  const client = useQueryClient();
  const newestId = mails.items[0]?.id;
  const newest = mails.items.find(({ direction }) => direction === 'received') ?? mails.items[0];
  const [firstId, setFirstId] = useState<string | null>(null);
  // New mail is listed; it does not take the place of what is read.
  useEffect(() => setFirstId((current) => current ?? newest?.id ?? null), [newest?.id]);
  const open = openId ?? firstId;
  useEffect(() => onShown(open === null ? null : { person, id: open }), [person, open, onShown]);
  useEffect(() => {
    void control('POST', `${personRoute(person)}/read`).then(
      () => client.invalidateQueries({ queryKey: ['people'] }),
      () => {},
    );
  }, [client, person, newestId]);
  const end = useEndReached(() => mails.hasMore && !mails.isLoadingMore && mails.loadMore());
  return (
    <section className="pane conversation" aria-label={`Mail of ${person}`}>
      <header className="conversation-head">
        <Link to="/people" className="to-people">
          <Icon name="back" /> People
        </Link>
        <h2>
          <bdi>{markedLine(person)}</bdi>
        </h2>
        <Link to={`/write?from=${encodeURIComponent(person)}`}>Write as this person</Link>
      </header>
      {mails.isLoading && <Loading />}
      <ProblemNotice error={mails.error} />
      <ol className="mails">
        {mails.items.map((mail) => (
          <li key={mail.id} className={mail.id === open ? 'open' : ''}>
            <MailRowLink mail={mail} isOpen={mail.id === open} />
            {mail.id === open && <MessageView person={person} id={mail.id} />}
          </li>
        ))}
        {open !== null && !mails.isLoading && !mails.items.some(({ id }) => id === open) && (
          <li className="open">
            <MessageView person={person} id={open} />
          </li>
        )}
      </ol>
      <div ref={end} className="list-end" />
    </section>
  );
}

function MailRowLink({ mail, isOpen }: { readonly mail: MailRow; readonly isOpen: boolean }) {
  const row = useRef<HTMLAnchorElement>(null);
  useEffect(() => {
    if (isOpen) row.current?.scrollIntoView({ block: 'nearest' });
  }, [isOpen]);
  return (
    <Link
      ref={row}
      to={mailPath(mail.person, mail.id)}
      className="mail-row"
      aria-current={isOpen ? 'true' : undefined}
    >
      <span className={`way ${mail.direction}`}>{mail.direction === 'received' ? 'Got' : 'Sent'}</span>
      <span className="mail-row-text">
        <bdi className="subject">{markedLine(mail.subject) || '(no subject)'}</bdi>
        {!isOpen && <bdi className="preview soft">{markedLine(mail.snippet)}</bdi>}
      </span>
      {mail.state && mail.state !== 'delivered' && <StateBadge state={mail.state} />}
      <Time at={mail.at} />
    </Link>
  );
}
