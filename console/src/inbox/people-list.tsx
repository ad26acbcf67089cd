/** The people who were written to, or wrote; those with the newest mail first. */
import { type KeyboardEvent, memo } from 'react';
import { Link } from 'react-router';
import { ButtonLink } from '../kit/button.tsx';
import { classes } from '../kit/classes.ts';
import { markedLine } from '../kit/hidden-characters.ts';
import { ProblemNotice } from '../kit/problem-notice.tsx';
import { Loading } from '../kit/progress.tsx';
import { Time } from '../kit/time.tsx';
import { type Person, personPath } from './control.ts';
import type { usePeople } from './queries.ts';
import { useEndReached } from './shell.tsx';
import { StateBadge } from './state-badge.tsx';

interface PeopleListProps {
  readonly people: ReturnType<typeof usePeople>;
  readonly text: string;
  readonly onText: (text: string) => void;
  readonly current: string | null;
}

export function PeopleList({ people, text, onText, current }: PeopleListProps) {
  const end = useEndReached(() => people.hasMore && !people.isLoadingMore && people.loadMore());
  return (
    <nav className="pane people" aria-label="People">
      <div className="people-head">
        <input
          type="search"
          aria-label="Search people"
          placeholder={`Search ${people.total} ${people.total === 1 ? 'person' : 'people'}`}
          value={text}
          onChange={(event) => onText(event.target.value)}
        />
        <ButtonLink to="/write" kind="primary" small>
          Write
        </ButtonLink>
      </div>
      {people.isLoading && <Loading />}
      <ProblemNotice error={people.error} />
      {!people.isLoading && people.items.length === 0 && (
        <p className="soft pad">Nobody is called like that.</p>
      )}
      <ul onKeyDown={moveFocus}>
        {people.items.map((person) => (
          <PersonRow key={person.address} person={person} isCurrent={person.address === current} />
        ))}
      </ul>
      <div ref={end} className="list-end" />
    </nav>
  );
}

const PersonRow = memo(function PersonRow({
  person,
  isCurrent,
}: {
  readonly person: Person;
  readonly isCurrent: boolean;
}) {
  const { address, name, newest, unread, messages } = person;
  return (
    <li>
      <Link
        to={personPath(address)}
        className={classes('person', unread > 0 && 'unread')}
        aria-current={isCurrent ? 'true' : undefined}
      >
        <span className="line">
          <bdi className="who">{markedLine(name) || markedLine(address)}</bdi>
          {newest && <Time at={newest.at} />}
        </span>
        <span className="line">
          <bdi className="subject">{markedLine(newest?.subject ?? '') || '(no subject)'}</bdi>
          {newest?.state && newest.state !== 'delivered' && <StateBadge state={newest.state} />}
        </span>
        <span className="line soft">
          <bdi className="preview">
            {newest?.direction === 'sent' ? 'Wrote: ' : ''}
            {markedLine(newest?.snippet ?? '')}
          </bdi>
          <span className="count">{unread > 0 ? `${unread} new` : messages}</span>
        </span>
      </Link>
    </li>
  );
});

const steps: Readonly<Record<string, number>> = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1 };

function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const step = steps[event.key];
  if (!step || event.altKey || event.ctrlKey || event.metaKey) return;
  const rows = [...event.currentTarget.querySelectorAll('a')];
  const next = rows[rows.findIndex((row) => row.contains(document.activeElement)) + step];
  if (!next) return;
  event.preventDefault();
  next.focus();
}
