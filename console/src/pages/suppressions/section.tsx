/** `/console/suppressions`: addresses that sends leave out. */
import type { Suppression, SuppressionReason } from 'parley-client';
import { useState } from 'react';
import { useSearchParams } from 'react-router';
import { parley } from '../../api/parley.ts';
import { useAction, useCursorList } from '../../api/queries.ts';
import { Badge } from '../../kit/badge.tsx';
import { ConfirmDialog } from '../../kit/dialog.tsx';
import { EmailLink } from '../../kit/email-link.tsx';
import { EmptyState } from '../../kit/empty-state.tsx';
import { Select, TextField } from '../../kit/field.tsx';
import { GuardedButton, ReadOnlyNote } from '../../kit/guarded.tsx';
import { type Column, Table } from '../../kit/list.tsx';
import { Page } from '../../kit/page.tsx';
import { SafeText } from '../../kit/safe-text.tsx';
import { Time } from '../../kit/time.tsx';
import { useSettled } from '../../kit/use-settled.ts';
import { visibleText } from '../../kit/visible-text.ts';
import { AddSuppressions } from './add-suppressions.tsx';

const reasons: Readonly<Record<SuppressionReason, { text: string; tone: 'bad' | 'warn' | 'neutral' }>> = {
  bounce: { text: 'Bounced', tone: 'bad' },
  complaint: { text: 'Reported spam', tone: 'bad' },
  unsubscribe: { text: 'Opted out', tone: 'warn' },
  manual: { text: 'Added by hand', tone: 'neutral' },
};

export function Suppressions() {
  const [search, setSearch] = useSearchParams();
  const reason = (search.get('reason') ?? '') as SuppressionReason | '';
  const [address, setAddress] = useState(search.get('address') ?? '');
  const wanted = useSettled(address.trim());
  const list = useCursorList(['suppressions', reason, wanted], (cursor) =>
    parley.suppressions.list({
      cursor,
      limit: 100,
      ...(reason && { reason }),
      ...(wanted && { address: wanted }),
    }),
  );
  const [isAdding, setAdding] = useState(false);
  const [removed, setRemoved] = useState<Suppression | null>(null);
  const add = (
    <GuardedButton kind="primary" onClick={() => setAdding(true)}>
      Add addresses
    </GuardedButton>
  );
  return (
    <Page title="Suppressions" lead="Addresses that sends leave out, and why." actions={add}>
      <ReadOnlyNote />
      <search className="filters">
        <TextField
          label="Address contains"
          type="search"
          value={address}
          onChange={(event) => setAddress(event.target.value)}
          placeholder="@example.com"
          maxLength={320}
        />
        <Select
          label="Why"
          value={reason}
          onChange={({ target: { value } }) => setSearch(value ? { reason: value } : {})}
          choices={[
            { value: '', label: 'Any reason' },
            ...Object.entries(reasons).map(([value, { text }]) => ({ value, label: text })),
          ]}
        />
      </search>
      <Table
        label="Suppressions, newest first"
        list={list}
        idOf={({ id }) => id}
        columns={columnsOf(setRemoved)}
        empty={
          wanted || reason ? (
            <EmptyState title="No such address">Nothing here holds mail to it back.</EmptyState>
          ) : (
            <EmptyState
              title="Nobody is left out"
              command={
                'curl -s "$PARLEY_BASE_URL/suppressions" -H "Authorization: Bearer $PARLEY_API_KEY" \\\n  --json \'{"addresses": ["anna@example.test"], "note": "asked by phone"}\''
              }
              action={add}
            >
              Addresses that bounce, report spam or opt out come here by themselves. You can add others.
            </EmptyState>
          )
        }
      />
      <AddSuppressions isOpen={isAdding} onClose={() => setAdding(false)} />
      <RemoveSuppression suppression={removed} onClose={() => setRemoved(null)} />
    </Page>
  );
}

function columnsOf(onRemove: (suppression: Suppression) => void): readonly Column<Suppression>[] {
  return [
    { title: 'Address', cell: AddressCell },
    { title: 'Why', cell: WhyCell },
    { title: 'Since', cell: ({ created_at }) => <Time at={created_at} /> },
    { title: 'List', cell: ListCell, isMinor: true },
    {
      title: 'Left out',
      isNumber: true,
      isMinor: true,
      cell: ({ blocks, last_blocked_at: at }) => (
        <>
          {blocks.toLocaleString()}
          {at && (
            <div className="hint">
              <Time at={at} />
            </div>
          )}
        </>
      ),
    },
    {
      title: 'Action',
      cell: (suppression) => (
        <GuardedButton
          small
          kind="quiet"
          aria-label={`Remove ${visibleText(suppression.address)}`}
          onClick={() => onRemove(suppression)}
        >
          Remove
        </GuardedButton>
      ),
    },
  ];
}

function AddressCell({ address, note }: Suppression) {
  return (
    <>
      <SafeText text={address} />
      {note && (
        <div className="hint">
          <SafeText text={note} />
        </div>
      )}
    </>
  );
}

function WhyCell({ reason, scope, source_email_id: source }: Suppression) {
  return (
    <>
      <Badge tone={reasons[reason].tone}>{reasons[reason].text}</Badge>
      {scope === 'optional' && <div className="hint">only mail with an unsubscribe link</div>}
      {source && (
        <div className="hint">
          <EmailLink emailId={source}>by this email</EmailLink>
        </div>
      )}
    </>
  );
}

function ListCell({ key, space_id: space }: Suppression) {
  return (
    <>
      {key === '*' ? 'every send' : <SafeText text={key} />}
      {space && <div className="hint">in one space</div>}
    </>
  );
}

function RemoveSuppression({
  suppression,
  onClose,
}: {
  readonly suppression: Suppression | null;
  readonly onClose: () => void;
}) {
  const remove = useAction((id: string) => parley.suppressions.delete(id), {
    changed: [['suppressions'], ['limits']],
    done: 'Removed: sends reach the address again',
  });
  if (!suppression) return null;
  const { id, address, reason } = suppression;
  return (
    <ConfirmDialog
      isOpen
      onClose={onClose}
      title={`Remove ${visibleText(address)}?`}
      loses={
        <>
          <p>Sends reach the address again. Since when and why it was left out is forgotten.</p>
          {reason !== 'manual' && (
            <p>
              {reason === 'bounce'
                ? 'If it still takes no mail, it bounces again, which harms your reputation.'
                : 'The person asked for no more mail: write again only with their consent.'}
            </p>
          )}
        </>
      }
      action="Remove"
      isBusy={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate(id, { onSuccess: onClose })}
    />
  );
}
