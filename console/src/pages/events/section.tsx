/** `/console/events`: the log, live. */
import type { Event, EventType } from 'parley-client';
import { memo, useState } from 'react';
import { useSearchParams } from 'react-router';
import { useLive } from '../../api/live.tsx';
import { Badge } from '../../kit/badge.tsx';
import { Button } from '../../kit/button.tsx';
import { CopyValue } from '../../kit/copy.tsx';
import { EmptyState } from '../../kit/empty-state.tsx';
import { Json } from '../../kit/json.tsx';
import { Link } from '../../kit/link.tsx';
import { LoadMore } from '../../kit/list.tsx';
import { Page } from '../../kit/page.tsx';
import { ProblemNotice } from '../../kit/problem-notice.tsx';
import { Loading } from '../../kit/progress.tsx';
import { SafeText } from '../../kit/safe-text.tsx';
import { Time } from '../../kit/time.tsx';
import { shownMax } from './event-log.ts';
import { aboutEvent, eventTypes, threadOfEvent, toneOfEvent } from './event-types.tsx';
import './events.css';
import { TypeFilter } from './type-filter.tsx';
import { useLiveEvents } from './use-live-events.ts';

export function Events() {
  const [search, setSearch] = useSearchParams();
  const types = search
    .getAll('type')
    .filter((type): type is EventType => eventTypes.some((one) => one === type));
  const [isLive, setLive] = useState(true);
  const log = useLiveEvents(types, isLive);
  const isOn = useLive().via !== null && isLive;
  return (
    <Page
      title="Events"
      lead="What happened, as webhooks deliver it. A click shows the body."
      actions={
        <>
          <span className={isOn ? 'live on' : 'live'} role="status">
            {isLive ? (isOn ? 'Live' : 'Connecting') : 'Paused'}
          </span>
          <Button onClick={() => setLive(!isLive)}>{isLive ? 'Pause' : 'Go on'}</Button>
        </>
      }
    >
      <TypeFilter selected={types} onChange={(next) => setSearch({ type: [...next] })} />
      <ProblemNotice error={log.error} />
      {log.isLoading && <Loading />}
      {!log.isLoading && log.events.length === 0 && !log.hasMore && (
        <NoEvents isFiltered={types.length > 0} />
      )}
      {log.events.length > 0 && (
        <ul className="rows" aria-label="Events, newest first">
          {log.events.map((event) => (
            <li key={event.id}>
              <EventRow event={event} />
            </li>
          ))}
        </ul>
      )}
      <LoadMore list={log} />
      {log.events.length === shownMax && (
        <p className="soft">
          These are the newest {shownMax.toLocaleString('en')} events. Choose types to see older ones.
        </p>
      )}
    </Page>
  );
}

function NoEvents({ isFiltered }: { readonly isFiltered: boolean }) {
  if (isFiltered) {
    return <EmptyState title="No event of these types yet">New ones appear here by themselves.</EmptyState>;
  }
  return (
    <EmptyState
      title="Nothing has happened yet"
      command={
        'curl -s "$PARLEY_BASE_URL/emails" -H "Authorization: Bearer $PARLEY_API_KEY" \\\n  --json \'{"from": "you@YOUR_DOMAIN", "to": ["anna@example.test"], "subject": "Hello", "text": "Hi"}\''
      }
    >
      Send an email: its events appear here within a second.
    </EmptyState>
  );
}

/** The body is rendered when it is opened: a page may have thousands of events. */
const EventRow = memo(function EventRow({ event }: { readonly event: Event }) {
  const [isOpen, setOpen] = useState(false);
  const thread = threadOfEvent(event);
  return (
    <details className="event" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary className="event-row">
        <span className="event-type">
          <Badge tone={toneOfEvent(event.type)}>{event.type}</Badge>
        </span>
        <span className="event-about">
          <SafeText text={aboutEvent(event)} isClipped />
        </span>
        <Time at={event.created_at} />
      </summary>
      {isOpen && (
        <div className="event-body">
          <div className="actions">
            <CopyValue text={event.id} what="the id of the event" />
            {thread && <Link to={`/conversations/${thread}`}>Open the conversation</Link>}
          </div>
          <Json value={event} what="the body of the event" />
        </div>
      )}
    </details>
  );
});
