/** API keys: list, creating one (shown once), deleting one. */
import type { ApiKey, ApiKeyScope } from 'parley-client';
import { type FormEvent, type ReactNode, useState } from 'react';
import { parley } from '../../api/parley.ts';
import { useAction, useCursorList } from '../../api/queries.ts';
import { useMay } from '../../api/session.ts';
import { Badge } from '../../kit/badge.tsx';
import { Button } from '../../kit/button.tsx';
import { ConfirmDialog, Dialog } from '../../kit/dialog.tsx';
import { EmptyState } from '../../kit/empty-state.tsx';
import { Select, TextArea, TextField } from '../../kit/field.tsx';
import { GuardedButton, ReadOnlyNote } from '../../kit/guarded.tsx';
import { type Column, Table } from '../../kit/list.tsx';
import { Page } from '../../kit/page.tsx';
import { ProblemNotice } from '../../kit/problem-notice.tsx';
import { SafeText } from '../../kit/safe-text.tsx';
import { SecretDialog } from '../../kit/secret-dialog.tsx';
import { Time } from '../../kit/time.tsx';
import { visibleText } from '../../kit/visible-text.ts';
import { SettingsTabs } from './settings-tabs.tsx';

export function Keys() {
  const may = useMay('full');
  const [isAdding, setAdding] = useState(false);
  const [secret, setSecret] = useState<string | null>(null);
  const add = (
    <GuardedButton kind="primary" onClick={() => setAdding(true)}>
      Create a key
    </GuardedButton>
  );
  return (
    <Page title="API keys" lead="What programs call the API with." actions={add}>
      <SettingsTabs />
      {may ? <KeyList action={add} /> : <ReadOnlyNote isHidden />}
      {isAdding && (
        <CreateKey
          onClose={() => setAdding(false)}
          onCreated={(key) => {
            setAdding(false);
            setSecret(key);
          }}
        />
      )}
      <SecretDialog secret={secret} title="The new API key" onClose={() => setSecret(null)}>
        Only its hash is stored. If it is lost, create another one and delete this one.
      </SecretDialog>
    </Page>
  );
}

function KeyList({ action }: { readonly action: ReactNode }) {
  const list = useCursorList(['api-keys'], (cursor) => parley.apiKeys.list({ cursor, limit: 100 }));
  const [removed, setRemoved] = useState<ApiKey | null>(null);
  return (
    <>
      <Table
        label="API keys"
        list={list}
        idOf={({ id }) => id}
        columns={columnsOf(setRemoved)}
        empty={
          <EmptyState title="No key yet" action={action}>
            A program that sends mail needs one.
          </EmptyState>
        }
      />
      <RemoveKey apiKey={removed} onClose={() => setRemoved(null)} />
    </>
  );
}

const scopeTexts: Readonly<Record<ApiKeyScope, string>> = {
  read: 'reads',
  draft: 'reads and makes drafts, sends nothing',
  sending: 'reads and sends',
  full: 'does everything',
};

function columnsOf(onRemove: (key: ApiKey) => void): readonly Column<ApiKey>[] {
  return [
    {
      title: 'Name',
      cell: ({ name, prefix }) => (
        <>
          <SafeText text={name} isClipped />
          <div className="hint">
            <code>{prefix}…</code>
          </div>
        </>
      ),
    },
    {
      title: 'Scope',
      cell: ({ scope, allowed_ips: ips }) => (
        <>
          <Badge tone={scope === 'full' ? 'accent' : 'neutral'}>{scope}</Badge>
          <div className="hint">{scopeTexts[scope]}</div>
          {ips.length > 0 && <div className="hint">from {ips.join(', ')}</div>}
        </>
      ),
    },
    { title: 'Last used', cell: ({ last_used_at: at }) => (at ? <Time at={at} /> : 'Never') },
    { title: 'Created', isMinor: true, cell: ({ created_at: at }) => <Time at={at} /> },
    { title: 'Expires', isMinor: true, cell: ({ expires_at: at }) => (at ? <Time at={at} /> : 'Never') },
    {
      title: 'Action',
      cell: (key) => (
        <Button
          small
          kind="danger"
          aria-label={`Delete ${visibleText(key.name)}`}
          onClick={() => onRemove(key)}
        >
          Delete
        </Button>
      ),
    },
  ];
}

function CreateKey({
  onClose,
  onCreated,
}: {
  readonly onClose: () => void;
  readonly onCreated: (key: string) => void;
}) {
  const [name, setName] = useState('');
  const [scope, setScope] = useState<ApiKeyScope>('sending');
  const [expires, setExpires] = useState('');
  const [networks, setNetworks] = useState('');
  const create = useAction(
    () =>
      parley.apiKeys.create({
        name: name.trim(),
        scope,
        expires_at: expires ? new Date(expires) : null,
        allowed_ips: networks.split(/[\s,]+/).filter((network) => network !== ''),
      }),
    { changed: [['api-keys'], ['limits']] },
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    create.mutate(undefined, { onSuccess: ({ key }) => onCreated(key) });
  };
  return (
    <Dialog isOpen onClose={onClose} title="Create an API key">
      <form onSubmit={submit}>
        <TextField
          label="Name"
          value={name}
          onChange={(event) => setName(event.target.value)}
          placeholder="production server"
          required
          maxLength={255}
        />
        <Select
          label="Scope"
          value={scope}
          onChange={({ target: { value } }) => setScope(value as ApiKeyScope)}
          choices={Object.entries(scopeTexts).map(([value, text]) => ({ value, label: `${value}: ${text}` }))}
        />
        <TextField
          label="Expires"
          type="datetime-local"
          value={expires}
          onChange={(event) => setExpires(event.target.value)}
          hint="Empty: never."
        />
        <TextArea
          label="Addresses that may use it"
          value={networks}
          onChange={(event) => setNetworks(event.target.value)}
          hint="IP addresses and networks such as 203.0.113.0/24; empty: any."
          rows={2}
          spellCheck={false}
        />
        <ProblemNotice error={create.error} />
        <footer>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" isBusy={create.isPending}>
            Create key
          </Button>
        </footer>
      </form>
    </Dialog>
  );
}

function RemoveKey({ apiKey, onClose }: { readonly apiKey: ApiKey | null; readonly onClose: () => void }) {
  const remove = useAction((id: string) => parley.apiKeys.delete(id), {
    changed: [['api-keys'], ['limits']],
    done: 'The key is deleted',
  });
  if (!apiKey) return null;
  const { id, name, last_used_at: usedAt } = apiKey;
  return (
    <ConfirmDialog
      isOpen
      onClose={onClose}
      title={`Delete the key ${visibleText(name)}?`}
      loses={
        <p>
          Programs that use it are refused from now on. {usedAt ? 'It was last used ' : 'It was never used.'}
          {usedAt && (
            <>
              <Time at={usedAt} />.
            </>
          )}{' '}
          That cannot be undone.
        </p>
      }
      action="Delete key"
      isBusy={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate(id, { onSuccess: onClose })}
    />
  );
}
