/** Mailboxes that people have connected: their state, synchronization, connecting and disconnecting. */
import type { Mailbox } from 'parley-client';
import { useState } from 'react';
import { useSearchParams } from 'react-router';
import { parley } from '../../api/parley.ts';
import { useAction, useCursorList } from '../../api/queries.ts';
import { Badge, type Tone } from '../../kit/badge.tsx';
import { ConfirmDialog } from '../../kit/dialog.tsx';
import { EmptyState } from '../../kit/empty-state.tsx';
import { GuardedButton, ReadOnlyNote } from '../../kit/guarded.tsx';
import { type Column, Table } from '../../kit/list.tsx';
import { Page } from '../../kit/page.tsx';
import { SafeText } from '../../kit/safe-text.tsx';
import { Time } from '../../kit/time.tsx';
import { visibleText } from '../../kit/visible-text.ts';
import { ConnectDialog } from './connect-dialog.tsx';
import { MailboxTabs, providerNames } from './mailbox-tabs.tsx';

const states: Readonly<Record<Mailbox['state'], { tone: Tone; text: string }>> = {
  active: { tone: 'good', text: 'Active' },
  needs_reauth: { tone: 'bad', text: 'Connect again' },
  disconnected: { tone: 'neutral', text: 'Disconnected' },
};

export function MailboxList() {
  const list = useCursorList(
    ['mailboxes'],
    (cursor) => parley.mailboxes.list({ cursor, limit: 100 }),
    10_000,
  );
  const [connecting, setConnecting] = useState<Mailbox | 'new' | null>(null);
  const [left, setLeft] = useState<Mailbox | null>(null);
  const connect = (
    <GuardedButton kind="primary" onClick={() => setConnecting('new')}>
      Connect a mailbox
    </GuardedButton>
  );
  return (
    <Page
      title="Mailboxes"
      lead="Accounts at Google and Microsoft whose mail is read and sent here."
      actions={connect}
    >
      <MailboxTabs />
      <ReadOnlyNote />
      <Returned />
      <Table
        label="Mailboxes"
        list={list}
        idOf={({ id }) => id}
        columns={columnsOf(setConnecting, setLeft)}
        empty={
          <EmptyState
            title="Bring in a mailbox that people use already"
            command={
              'curl -s "$PARLEY_BASE_URL/mailboxes/connect" -H "Authorization: Bearer $PARLEY_API_KEY" \\\n  --json \'{"provider": "google", "return_to": "https://app.example.com/done"}\''
            }
            action={connect}
          >
            The account's owner gives the consent at Google or Microsoft. Then its conversations are here.
          </EmptyState>
        }
      />
      {connecting && (
        <ConnectDialog known={connecting === 'new' ? null : connecting} onClose={() => setConnecting(null)} />
      )}
      <Disconnect mailbox={left} onClose={() => setLeft(null)} />
    </Page>
  );
}

/** How a consent ended, which the provider's page hands back (docs/concepts/mailboxes.md#return-urls). */
function Returned() {
  const [search] = useSearchParams();
  const status = search.get('status');
  if (status === null) return null;
  const code = search.get('code');
  return status === 'connected' ? (
    <p role="status">
      <Badge tone="good">Connected</Badge> Its mail appears within a minute.
    </p>
  ) : (
    <p className="problem" role="alert">
      {code ? (
        <>
          The mailbox is not connected: <code>{visibleText(code)}</code>
        </>
      ) : (
        'The mailbox is not connected: the person declined, or left out a permission that is needed.'
      )}
    </p>
  );
}

function columnsOf(
  onConnect: (mailbox: Mailbox) => void,
  onDisconnect: (mailbox: Mailbox) => void,
): readonly Column<Mailbox>[] {
  return [
    {
      title: 'Mailbox',
      cell: ({ address, name, provider }) => (
        <>
          <SafeText text={address} />
          <div className="hint">
            {providerNames[provider]} {name && <SafeText text={name} />}
          </div>
        </>
      ),
    },
    {
      title: 'State',
      cell: ({ state, state_reason: reason }) => (
        <>
          <Badge tone={states[state].tone}>{states[state].text}</Badge>
          {reason && (
            <div className="hint">
              <SafeText text={reason} />
            </div>
          )}
        </>
      ),
    },
    {
      title: 'Last synchronization',
      cell: ({ last_sync_at: at }) => (at ? <Time at={at} /> : 'Not yet'),
    },
    { title: 'Connected', isMinor: true, cell: ({ connected_at: at }) => <Time at={at} /> },
    {
      title: 'Actions',
      cell: (mailbox) => <Actions mailbox={mailbox} onConnect={onConnect} onDisconnect={onDisconnect} />,
    },
  ];
}

function Actions({
  mailbox,
  onConnect,
  onDisconnect,
}: {
  readonly mailbox: Mailbox;
  readonly onConnect: (mailbox: Mailbox) => void;
  readonly onDisconnect: (mailbox: Mailbox) => void;
}) {
  const { id, state, address } = mailbox;
  const sync = useAction(() => parley.mailboxes.sync(id), {
    changed: [['mailboxes']],
    done: `${visibleText(address)} is being synchronized`,
  });
  return (
    <div className="actions">
      {state === 'active' ? (
        <GuardedButton small onClick={() => sync.mutate(undefined)} isBusy={sync.isPending}>
          Sync now
        </GuardedButton>
      ) : (
        <GuardedButton small onClick={() => onConnect(mailbox)}>
          Connect again
        </GuardedButton>
      )}
      {state !== 'disconnected' && (
        <GuardedButton small kind="danger" onClick={() => onDisconnect(mailbox)}>
          Disconnect
        </GuardedButton>
      )}
    </div>
  );
}

function Disconnect({
  mailbox,
  onClose,
}: {
  readonly mailbox: Mailbox | null;
  readonly onClose: () => void;
}) {
  const disconnect = useAction((id: string) => parley.mailboxes.delete(id), {
    changed: [['mailboxes']],
    done: 'The mailbox is disconnected',
  });
  if (!mailbox) return null;
  const { id, address, provider } = mailbox;
  return (
    <ConfirmDialog
      isOpen
      onClose={onClose}
      title={`Disconnect ${visibleText(address)}?`}
      loses={
        <p>
          New mail is no longer read, nothing can be sent from it, and scheduled mail from it fails. Our
          access at {providerNames[provider]} is given back. Conversations stay here, and the mailbox itself
          is untouched. It can be connected again with a new consent.
        </p>
      }
      action="Disconnect"
      isBusy={disconnect.isPending}
      error={disconnect.error}
      onConfirm={() => disconnect.mutate(id, { onSuccess: onClose })}
    />
  );
}
