/** What the service has of a thread: read by the public API, as the workspace's own program would. */
import { useQuery } from '@tanstack/react-query';
import type { Email, FullEmail, ThreadWithMessages } from 'parley-client';
import { parley } from '../api/parley.ts';
import { Badge, type Tone } from '../kit/badge.tsx';
import { CopyValue } from '../kit/copy.tsx';
import { markedLine } from '../kit/hidden-characters.ts';
import { MarkedText } from '../kit/marked-text.tsx';
import { ProblemNotice } from '../kit/problem-notice.tsx';
import { Loading } from '../kit/progress.tsx';
import { SafeText } from '../kit/safe-text.tsx';
import { Time } from '../kit/time.tsx';
import type { Mail } from './control.ts';
import { sizeText } from './message-view.tsx';
import { useMail } from './queries.ts';

/** Emails of an author that are compared, newest first. */
const candidatesMax = 100;

/** The email of the service that a person wrote; null: it has none. A message without Message-ID is found by its subject. */
async function receivedEmail(mail: Mail): Promise<Email | null> {
  const query = mail.from?.address ?? mail.person;
  const { items } = await parley.emails.list({ query, direction: 'inbound', limit: candidatesMax });
  const isIt = ({ message_id, subject }: Email) =>
    mail.message_id === null ? subject === mail.subject : message_id === mail.message_id;
  return items.find(isIt) ?? null;
}

interface Conversation {
  readonly thread: ThreadWithMessages;
  /** The email that the message is; null: it has not arrived. */
  readonly emailId: string | null;
}

async function conversationOf(mail: Mail): Promise<Conversation | null> {
  const own = mail.direction === 'sent' ? await receivedEmail(mail) : null;
  const known = own?.id ?? mail.email_id;
  if (known === null) return null;
  const { thread_id } = own ?? (await parley.emails.retrieve(known));
  const thread = await parley.threads.retrieve(thread_id, { message_limit: 100 });
  return { thread, emailId: mail.direction === 'sent' ? (own?.id ?? null) : known };
}

/** While mail is on its way; to other people only, it never arrives. */
const waitsMax = 30;
const waitMs = 1_000;

export function ServiceView({ person, id }: { readonly person: string; readonly id: string }) {
  const { data: mail } = useMail(person, id);
  const { data, error } = useQuery({
    queryKey: ['service', person, id],
    queryFn: () => (mail ? conversationOf(mail) : null),
    enabled: mail !== undefined,
    refetchInterval: ({ state }) =>
      state.data?.emailId || state.dataUpdateCount > waitsMax ? false : waitMs,
  });
  return (
    <aside className="pane service" aria-label="What the service has">
      <header className="service-head">
        <h2>The service's view</h2>
        {data && <a href={`/console/conversations/${data.thread.id}`}>Open in the console</a>}
      </header>
      <ProblemNotice error={error} />
      {data === undefined && !error && <Loading rows={4} />}
      {data === null && (
        <p className="soft pad">
          The service has not received this message: it may be on its way, or to other people only.
        </p>
      )}
      {data && <Thread {...data} />}
    </aside>
  );
}

function Thread({ thread, emailId }: Conversation) {
  return (
    <>
      <div className="pad">
        <p>
          <SafeText text={thread.subject || '(no subject)'} />
        </p>
        <CopyValue text={thread.id} what="the thread id" />
      </div>
      <ol className="service-messages">
        {thread.messages.map((email) => (
          <li key={email.id} className={email.id === emailId ? 'same' : ''}>
            <EmailView email={email} isOpen={email.id === emailId} />
          </li>
        ))}
      </ol>
    </>
  );
}

const statusTones: Readonly<Record<string, Tone>> = {
  delivered: 'good',
  received: 'accent',
  bounced: 'bad',
  complained: 'bad',
  failed: 'bad',
};

function EmailView({ email, isOpen }: { readonly email: FullEmail; readonly isOpen: boolean }) {
  return (
    <details open={isOpen}>
      <summary>
        <Badge tone={statusTones[email.status] ?? 'neutral'}>{email.status}</Badge>{' '}
        {email.category && (
          <Badge tone={email.category === 'human' ? 'neutral' : 'warn'}>{email.category}</Badge>
        )}{' '}
        <bdi className="preview">{markedLine(email.from.address)}</bdi> <Time at={email.created_at} />
      </summary>
      <div className="service-email">
        <CopyValue text={email.id} what="the email id" />
        <Segments email={email} />
        {email.direction === 'inbound' && <Verdicts verdicts={email.verdicts} />}
        {email.attachments.length > 0 && (
          <ul className="files" aria-label="Files">
            {email.attachments.map(({ id, filename, content_type, size }) => (
              <li key={id}>
                <SafeText text={filename ?? '(no name)'} />{' '}
                <span className="soft">
                  {content_type}, {sizeText(size)}
                </span>
              </li>
            ))}
          </ul>
        )}
        <History email={email} />
      </div>
    </details>
  );
}

/** What was written is shown, quotes and signatures are folded. */
function Segments({ email }: { readonly email: FullEmail }) {
  if (email.segments.length === 0) {
    return (
      <p className="segment written" dir="auto">
        <MarkedText text={email.text ?? email.snippet} />
      </p>
    );
  }
  return email.segments.map(({ kind, text }, at) =>
    kind === 'written' ? (
      <p key={at} className="segment written" dir="auto">
        <MarkedText text={text} />
      </p>
    ) : (
      <details key={at} className="segment folded">
        <summary>{kind.replaceAll('_', ' ')}</summary>
        <p dir="auto">
          <MarkedText text={text} />
        </p>
      </details>
    ),
  );
}

function Verdicts({ verdicts }: { readonly verdicts: FullEmail['verdicts'] }) {
  const known = Object.entries(verdicts).filter(([, value]) => value !== null);
  return (
    <ul className="verdicts" aria-label="Verdicts">
      {known.map(([name, value]) => (
        <li key={name}>
          <Badge tone={value === 'PASS' ? 'good' : value === 'FAIL' ? 'bad' : 'neutral'}>
            {name} {String(value)}
          </Badge>
        </li>
      ))}
    </ul>
  );
}

function History({ email }: { readonly email: FullEmail }) {
  const entries = [
    ...email.events.map(({ type, at, recipients, detail }) => ({
      what: type,
      at,
      of: markedLine(recipients.join(', ')),
      detail,
    })),
    ...email.engagements.map(({ type, at, url, bot }) => ({
      what: bot ? `${type} by a bot` : type,
      at,
      of: '',
      detail: url,
    })),
  ];
  if (entries.length === 0) return null;
  return (
    <ol className="history" aria-label="Delivery">
      {entries.map(({ what, at, of, detail }, index) => (
        <li key={index}>
          <strong>{what}</strong> <Time at={at} /> {of && <bdi>{of}</bdi>}
          {detail && <bdi className="soft detail">{markedLine(detail)}</bdi>}
        </li>
      ))}
    </ol>
  );
}
