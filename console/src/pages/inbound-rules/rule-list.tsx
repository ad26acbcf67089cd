/** The inbound rules of the workspace. */
import type { InboundRule } from 'parley-client';
import { type ReactNode, useEffect, useState } from 'react';
import { useSearchParams } from 'react-router';
import { parley } from '../../api/parley.ts';
import { type CursorList, useCursorList } from '../../api/queries.ts';
import { useMay } from '../../api/session.ts';
import { Badge } from '../../kit/badge.tsx';
import { ButtonLink } from '../../kit/button.tsx';
import { EmptyState } from '../../kit/empty-state.tsx';
import { Select, TextField } from '../../kit/field.tsx';
import { GuardedButton, ReadOnlyNote } from '../../kit/guarded.tsx';
import { Link } from '../../kit/link.tsx';
import { Rows } from '../../kit/list.tsx';
import { Page } from '../../kit/page.tsx';
import { SafeText } from '../../kit/safe-text.tsx';
import { Time } from '../../kit/time.tsx';
import { visibleText } from '../../kit/visible-text.ts';
import { InboundTabs } from './inbound-tabs.tsx';
import { RemoveRule } from './remove-rule.tsx';
import { useSpaceNames, useSpaces } from './rule-queries.ts';
import { placeText, type SpaceNames } from './rule-words.ts';

export function RuleList() {
  const [search] = useSearchParams();
  const [space, text] = [search.get('space') ?? '', (search.get('text') ?? '').trim().toLowerCase()];
  const names = useSpaceNames();
  const [removed, setRemoved] = useState<InboundRule | null>(null);
  const all = useCursorList(['inbound-rules', 'list', space], (cursor) =>
    parley.inboundRules.list({ cursor, limit: 100, ...(space && { space }) }),
  );
  const list = useFiltered(all, text);
  const add = useMay('full') && (
    <ButtonLink kind="primary" to="/inbound-rules/new">
      Add a rule
    </ButtonLink>
  );
  return (
    <Page
      title="Inbound rules"
      lead="Whose mail is received. The rules of the narrowest scope decide: address, then space, then workspace."
      actions={add}
    >
      <InboundTabs />
      <ReadOnlyNote />
      <Filters />
      <Rows
        label="Inbound rules, oldest first"
        list={list}
        idOf={({ id }) => id}
        row={(rule) => <RuleRow rule={rule} names={names} onRemove={() => setRemoved(rule)} />}
        empty={
          space || text ? (
            <EmptyState title="No such rule">No sender, address or note has this text here.</EmptyState>
          ) : (
            <NoRules action={add || undefined} />
          )
        }
      />
      <RemoveRule rule={removed} names={names} onClose={() => setRemoved(null)} />
    </Page>
  );
}

/** The API filters by space alone: the rest is read page by page until there is something to show. */
function useFiltered(list: CursorList<InboundRule>, text: string): CursorList<InboundRule> {
  const items = text
    ? list.items.filter(({ pattern, address, note }) =>
        [pattern, address, note].some((part) => part?.toLowerCase().includes(text)),
      )
    : list.items;
  const { hasMore, isLoading, isLoadingMore, error, loadMore } = list;
  const isWanting = text !== '' && items.length < 20 && hasMore && !error;
  useEffect(() => {
    if (isWanting && !isLoading && !isLoadingMore) loadMore();
  }, [isWanting, isLoading, isLoadingMore, loadMore]);
  return { ...list, items, isLoading: isLoading || (isWanting && items.length === 0) };
}

function Filters() {
  const [search, setSearch] = useSearchParams();
  const spaces = useSpaces();
  const set = (name: string, value: string) =>
    setSearch(
      (before) => {
        const next = new URLSearchParams(before);
        if (value) next.set(name, value);
        else next.delete(name);
        return next;
      },
      { replace: true },
    );
  return (
    <search className="filters">
      <TextField
        label="Sender or address contains"
        type="search"
        value={search.get('text') ?? ''}
        onChange={({ target: { value } }) => set('text', value)}
        placeholder="@example.com"
        maxLength={320}
      />
      {spaces.length > 0 && (
        <Select
          label="Space"
          value={search.get('space') ?? ''}
          onChange={({ target: { value } }) => set('space', value)}
          choices={[
            { value: '', label: 'All spaces' },
            { value: 'none', label: 'Outside of spaces' },
            ...spaces.map(({ id, name }) => ({ value: id, label: visibleText(name) })),
          ]}
        />
      )}
    </search>
  );
}

const NoRules = ({ action }: { readonly action: ReactNode }) => (
  <EmptyState
    title="Everybody can write"
    command={
      'curl -s "$PARLEY_BASE_URL/inbound-rules" -H "Authorization: Bearer $PARLEY_API_KEY" \\\n  --json \'{"action": "block", "pattern": "@spam.example"}\''
    }
    action={action}
  >
    Block a sender, or allow a few and so block everybody else. Blocked mail can be let in for 30 days.
  </EmptyState>
);

function RuleRow({
  rule,
  names,
  onRemove,
}: {
  readonly rule: InboundRule;
  readonly names: SpaceNames;
  readonly onRemove: () => void;
}) {
  const { id, action, pattern, note } = rule;
  return (
    <div className="row">
      <div className="split">
        <div>
          <div className="row-title">
            <Badge tone={action === 'block' ? 'bad' : 'good'}>{action === 'block' ? 'Block' : 'Allow'}</Badge>
            <Link to={`/inbound-rules/${id}`} data-row>
              <SafeText text={pattern} />
            </Link>
          </div>
          <div className="row-detail">
            <SafeText text={placeText(rule, names)} />
            {note && <SafeText text={note} />}
            <span>
              since <Time at={rule.created_at} />
            </span>
          </div>
        </div>
        <GuardedButton small kind="danger" aria-label={`Delete ${visibleText(pattern)}`} onClick={onRemove}>
          Delete
        </GuardedButton>
      </div>
    </div>
  );
}
