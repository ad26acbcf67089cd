/** Behind a message: delivery as a timeline, headers, verdicts, ids. */
import type { Engagement, FullEmail } from 'parley-client';
import { useState } from 'react';
import { parley } from '../../api/parley.ts';
import { useCursorList } from '../../api/queries.ts';
import { useMay } from '../../api/session.ts';
import { Button, ButtonLink } from '../../kit/button.tsx';
import { CopyValue } from '../../kit/copy.tsx';
import { markedLine } from '../../kit/hidden-characters.ts';
import { LoadMore } from '../../kit/list.tsx';
import { MarkedText } from '../../kit/marked-text.tsx';
import { Facts } from '../../kit/page.tsx';
import { Tabs } from '../../kit/tabs.tsx';
import { Timeline, type TimelineEntry } from '../../kit/timeline.tsx';
import { eventTone, listOf } from './words.ts';

export function MessageDetails({ email }: { readonly email: FullEmail }) {
  const [isOpen, setOpen] = useState(false);
  const mayBlock = useMay('full');
  const label = email.direction === 'outbound' ? 'Delivery and details' : 'Headers and details';
  return (
    <div className="message-details">
      <Button small kind="quiet" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {isOpen ? 'Hide details' : label}
      </Button>
      {mayBlock && email.direction === 'inbound' && (
        <ButtonLink
          small
          kind="quiet"
          to={`/inbound-rules/new?action=block&pattern=${encodeURIComponent(email.from.address)}`}
        >
          Block this sender
        </ButtonLink>
      )}
      {isOpen && <Details email={email} />}
    </div>
  );
}

function Details({ email }: { readonly email: FullEmail }) {
  const history = { id: 'history', label: 'Timeline', content: <History email={email} /> };
  const headers = {
    id: 'headers',
    label: 'Headers',
    content: (
      <div className="table">
        <table className="headers">
          <caption className="hidden">Headers</caption>
          <tbody>
            {email.headers.map(({ name, value }, at) => (
              <tr key={`${at} ${name}`}>
                <th scope="row">{name}</th>
                <td>
                  <code dir="auto">
                    <MarkedText text={value} />
                  </code>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    ),
  };
  const source = {
    id: 'source',
    label: 'Source',
    content: <Source text={email.html ?? email.text ?? ''} />,
  };
  const facts = { id: 'facts', label: 'Facts', content: <MessageFacts email={email} /> };
  return <Tabs label="Details of the message" tabs={[history, facts, headers, source]} />;
}

const sourceShownMax = 200_000;

function Source({ text }: { readonly text: string }) {
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard. */}
      <pre className="file-text" tabIndex={0}>
        <MarkedText text={text.slice(0, sourceShownMax)} />
      </pre>
      {text.length > sourceShownMax && <p className="soft">The beginning is shown; the API has all of it.</p>}
    </>
  );
}

function History({ email }: { readonly email: FullEmail }) {
  const engagements = useCursorList<Engagement>(['emails', email.id, 'engagements'], (cursor) =>
    parley.emails.listEngagements(email.id, { cursor, limit: 100 }),
  );
  const events: TimelineEntry[] = email.events.map(({ type, at, recipients, detail }, number) => ({
    id: `${number}`,
    at,
    title: type,
    tone: eventTone[type] ?? 'neutral',
    detail: [listOf(recipients), detail && markedLine(detail)].filter(Boolean).join(': '),
  }));
  const visits: TimelineEntry[] = engagements.items.map(({ type, at, url, bot, user_agent }, number) => ({
    id: `visit ${number}`,
    at,
    title: `${type === 'open' ? 'opened' : 'clicked'}${bot ? ' by a program' : ''}`,
    tone: 'accent',
    detail: [url, user_agent && markedLine(user_agent)].filter(Boolean).join(' · '),
  }));
  const first: TimelineEntry = {
    id: 'created',
    at: email.created_at,
    title: email.direction === 'inbound' ? 'received' : 'accepted',
  };
  const entries = [first, ...events, ...visits].toSorted((a, b) => a.at.localeCompare(b.at));
  return (
    <>
      <Timeline label="What happened" entries={entries} />
      <LoadMore list={engagements} />
    </>
  );
}

function MessageFacts({ email }: { readonly email: FullEmail }) {
  const verdicts = Object.entries(email.verdicts)
    .filter(([, value]) => value !== null)
    .map(([name, value]) => `${name} ${value}`)
    .join(', ');
  return (
    <Facts
      facts={[
        ['Id', <CopyValue key="id" text={email.id} what="the id of the email" />],
        ['Message-ID', <CopyValue key="message-id" text={email.message_id} what="the Message-ID" />],
        ['Subject', markedLine(email.subject)],
        ['Reply-To', listOf(email.reply_to) || 'none'],
        ['Category', email.category ?? 'none'],
        ['Checks', verdicts || 'none'],
        ['Idempotency key', email.idempotency_key ?? 'none'],
      ]}
    />
  );
}
