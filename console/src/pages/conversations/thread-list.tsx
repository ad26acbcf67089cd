/** The list of conversations with its filters, which are in the address of the page. */
import type { Email, Thread } from 'parley-client';
import { type FormEvent, memo, useEffect, useState } from 'react';
import { useLocation, useSearchParams } from 'react-router';
import { useRefetchMs } from '../../api/live.tsx';
import { brand, parley } from '../../api/parley.ts';
import { type CursorList, useApi, useCursorList } from '../../api/queries.ts';
import { useMay } from '../../api/session.ts';
import { Badge } from '../../kit/badge.tsx';
import { ButtonLink } from '../../kit/button.tsx';
import { EmptyState } from '../../kit/empty-state.tsx';
import { Select, TextField } from '../../kit/field.tsx';
import { markedLine } from '../../kit/hidden-characters.ts';
import { RowLink, Rows } from '../../kit/list.tsx';
import { SafeText } from '../../kit/safe-text.tsx';
import { Time } from '../../kit/time.tsx';
import { listOf, nameOf, peopleOf, statusTone, subjectOf } from './words.ts';

const views = [
  { value: '', label: 'All' },
  { value: 'unread', label: 'Unread' },
  { value: 'unclaimed', label: 'Unclaimed' },
  { value: 'claimed', label: 'Claimed' },
  { value: 'bounced', label: 'Bounced' },
  { value: 'failed', label: 'Failed' },
  { value: 'scheduled', label: 'Scheduled' },
];

const statusViews = ['bounced', 'failed', 'scheduled'] as const;

interface Filters {
  readonly view: string;
  readonly query: string | undefined;
  readonly label: readonly string[];
  readonly space: string | undefined;
  readonly mailbox: string | undefined;
}

function useFilters() {
  const [params, setParams] = useSearchParams();
  const filters: Filters = {
    view: params.get('view') ?? '',
    query: params.get('query') || undefined,
    label: params.getAll('label'),
    space: params.get('space') || undefined,
    mailbox: params.get('mailbox') || undefined,
  };
  const set = (name: keyof Filters, value: string) =>
    setParams((current) => {
      const next = new URLSearchParams(current);
      next.delete(name);
      for (const one of name === 'label' ? value.split(/[\s,]+/) : [value]) if (one) next.append(name, one);
      return next;
    });
  return { filters, set };
}

/** j and k lead to the list from wherever nothing is typed; within it, `Rows` moves on. */
function useRowKeys(): void {
  useEffect(() => {
    const focusRow = ({ key, target, altKey, ctrlKey, metaKey }: KeyboardEvent) => {
      if ((key !== 'j' && key !== 'k') || altKey || ctrlKey || metaKey) return;
      if (target instanceof Element && target.closest('input, textarea, select, .rows, [role]')) return;
      const rows = document.querySelector('.thread-list .rows');
      const row = rows?.querySelector<HTMLElement>('[data-row][aria-current]') ?? rows?.querySelector('a');
      row?.focus();
    };
    document.addEventListener('keydown', focusRow);
    return () => document.removeEventListener('keydown', focusRow);
  }, []);
}

export function ThreadList({ openId }: { readonly openId: string | undefined }) {
  const { filters, set } = useFilters();
  const mayWrite = useMay('sending');
  const status = statusViews.find((one) => one === filters.view);
  useRowKeys();
  return (
    <section className="thread-list" aria-label="Conversations">
      <title>{`Conversations · ${brand}`}</title>
      <header className="thread-list-header">
        <h1>Conversations</h1>
        {mayWrite && (
          <ButtonLink small to="/conversations/new">
            New message
          </ButtonLink>
        )}
      </header>
      <FilterForm filters={filters} set={set} />
      {status ? <Mails status={status} filters={filters} /> : <Threads filters={filters} openId={openId} />}
    </section>
  );
}

function FilterForm({ filters, set }: ReturnType<typeof useFilters>) {
  const [query, setQuery] = useState(filters.query ?? '');
  const [label, setLabel] = useState(filters.label.join(' '));
  const spaces = useApi(['spaces', 'names'], () => parley.spaces.list({ limit: 100 }));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (query !== (filters.query ?? '')) set('query', query.trim());
    else set('label', label.trim());
  };
  return (
    <form className="thread-filters" aria-label="Search and filter" onSubmit={submit}>
      <TextField
        label="Search subjects and people"
        hideLabel
        type="search"
        placeholder="Search subjects and people"
        value={query}
        onChange={(event) => setQuery(event.target.value)}
        onBlur={() => set('query', query.trim())}
      />
      <Select
        label="Show"
        hideLabel
        choices={views}
        value={filters.view}
        onChange={(event) => set('view', event.target.value)}
      />
      <details open={filters.label.length > 0 || Boolean(filters.space ?? filters.mailbox)}>
        <summary>More filters</summary>
        <TextField
          label="Labels"
          placeholder="urgent billing"
          value={label}
          onChange={(event) => setLabel(event.target.value)}
          onBlur={() => set('label', label.trim())}
        />
        <TextField
          label="Our address"
          placeholder="support@acme.dev"
          defaultValue={filters.mailbox}
          onBlur={(event) => set('mailbox', event.target.value.trim())}
        />
        <Select
          label="Space"
          value={filters.space ?? ''}
          choices={[
            { value: '', label: 'All spaces' },
            { value: 'none', label: 'Outside of spaces' },
            ...(spaces.data?.items ?? []).map(({ id, name }) => ({ value: id, label: markedLine(name) })),
          ]}
          onChange={(event) => set('space', event.target.value)}
        />
      </details>
      {/* Enter in a field searches. */}
      <button type="submit" className="hidden">
        Search
      </button>
    </form>
  );
}

function Threads({ filters, openId }: { readonly filters: Filters; readonly openId: string | undefined }) {
  const { search } = useLocation();
  const { view, query, label, space, mailbox } = filters;
  const asked = {
    query,
    space,
    mailbox,
    ...(label.length > 0 && { label: [...label] }),
    ...(view === 'unread' && { read: false as const }),
    ...(view === 'unclaimed' && { claimed: false as const }),
    ...(view === 'claimed' && { claimed: true as const }),
  };
  const list = useCursorList<Thread>(
    ['threads', 'list', asked],
    (cursor) => parley.threads.list({ ...asked, cursor, limit: 50 }),
    useRefetchMs(15_000),
  );
  const isFiltered = Object.values(asked).some((value) => value !== undefined);
  return (
    <Rows
      label="Conversations"
      list={list}
      idOf={({ id }) => id}
      empty={isFiltered ? <NothingFound /> : <NoThreads />}
      row={(thread) => <ThreadRow thread={thread} search={search} isCurrent={thread.id === openId} />}
    />
  );
}

/** Kept from one rendering to the next: a list may have thousands. */
const ThreadRow = memo(function ThreadRow({
  thread,
  search,
  isCurrent,
}: {
  readonly thread: Thread;
  readonly search: string;
  readonly isCurrent: boolean;
}) {
  return (
    <RowLink
      to={`/conversations/${thread.id}${search}`}
      className={thread.read === false ? 'thread-row unread' : 'thread-row'}
      isCurrent={isCurrent}
    >
      <span className="thread-people">
        {thread.read === false && <span className="hidden">Unread: </span>}
        {peopleOf(thread.participants, thread.mailbox)}
      </span>
      <Time at={thread.last_message_at} />
      <span className="thread-subject">
        {subjectOf(thread.subject)}
        {thread.message_count > 1 && <span className="soft"> ({thread.message_count})</span>}
      </span>
      <span className="thread-snippet">{markedLine(thread.snippet)}</span>
      {(thread.labels?.length > 0 || thread.claim) && (
        <span className="thread-marks">
          {thread.labels?.map((one) => (
            <Badge key={one}>{one}</Badge>
          ))}
          {thread.claim && (
            <Badge tone="accent">
              <SafeText text={thread.claim.owner} />
            </Badge>
          )}
        </span>
      )}
    </RowLink>
  );
});

function Mails({
  status,
  filters,
}: {
  readonly status: (typeof statusViews)[number];
  readonly filters: Filters;
}) {
  const { search } = useLocation();
  const { query, space } = filters;
  const list: CursorList<Email> = useCursorList(
    ['emails', 'list', status, query, space],
    (cursor) => parley.emails.list({ status, query, space, cursor, limit: 50 }),
    useRefetchMs(15_000),
  );
  return (
    <Rows
      label={`Mail that is ${status}`}
      list={list}
      idOf={({ id }) => id}
      empty={<NothingFound />}
      row={(email) => (
        <RowLink to={`/conversations/${email.thread_id}${search}#${email.id}`} className="thread-row">
          <span className="thread-people">To {listOf(email.to) || nameOf(email)}</span>
          <Time at={email.scheduled_at ?? email.created_at} />
          <span className="thread-subject">{subjectOf(email.subject)}</span>
          <span className="thread-marks">
            <Badge tone={statusTone[email.status] ?? 'neutral'}>{email.status}</Badge>
          </span>
        </RowLink>
      )}
    />
  );
}

const NothingFound = () => (
  <EmptyState title="Nothing found">
    Search compares whole words of subjects and addresses. Take a filter away.
  </EmptyState>
);

const NoThreads = () => (
  <EmptyState
    title="No conversations yet"
    command={`curl ${location.origin}/api/v2/emails -H "Authorization: Bearer $PARLEY_API_KEY" -H "Content-Type: application/json" -d '{"from":"support@acme.dev","to":"anna@example.com","subject":"Hello","text":"Hi."}'`}
  >
    Every mail that is sent or received is here, with its answers. Send the first one.
  </EmptyState>
);
