/** The workspace's own clients at Google and Microsoft. */
import type { OauthApp } from 'parley-client';
import { useState } from 'react';
import { parley } from '../../api/parley.ts';
import { useAction, useCursorList } from '../../api/queries.ts';
import { Badge } from '../../kit/badge.tsx';
import { CopyValue } from '../../kit/copy.tsx';
import { ConfirmDialog } from '../../kit/dialog.tsx';
import { EmptyState } from '../../kit/empty-state.tsx';
import { GuardedButton, ReadOnlyNote } from '../../kit/guarded.tsx';
import { Rows } from '../../kit/list.tsx';
import { Facts, Page } from '../../kit/page.tsx';
import { SafeText } from '../../kit/safe-text.tsx';
import { visibleText } from '../../kit/visible-text.ts';
import { MailboxTabs, providerNames } from './mailbox-tabs.tsx';
import { OauthAppDialog } from './oauth-app-dialog.tsx';

export function OauthAppList() {
  const list = useCursorList(['oauth-apps'], (cursor) => parley.oauthApps.list({ cursor, limit: 100 }));
  const [edited, setEdited] = useState<OauthApp | 'new' | null>(null);
  const [removed, setRemoved] = useState<OauthApp | null>(null);
  const add = (
    <GuardedButton kind="primary" onClick={() => setEdited('new')}>
      Add an app
    </GuardedButton>
  );
  return (
    <Page
      title="OAuth apps"
      lead="Your own clients at Google and Microsoft: their name is on the consent page."
      actions={add}
    >
      <MailboxTabs />
      <ReadOnlyNote />
      <Rows
        label="OAuth apps"
        list={list}
        idOf={({ id }) => id}
        row={(app) => <AppRow app={app} onEdit={() => setEdited(app)} onRemove={() => setRemoved(app)} />}
        empty={
          <EmptyState title="No app of your own" action={add}>
            Mailboxes are connected through an app that the deployment shares, where it has one. With your
            own, people see your name, and get a page of yours to connect on.
          </EmptyState>
        }
      />
      {edited && <OauthAppDialog known={edited === 'new' ? null : edited} onClose={() => setEdited(null)} />}
      <RemoveApp app={removed} onClose={() => setRemoved(null)} />
    </Page>
  );
}

function AppRow({
  app,
  onEdit,
  onRemove,
}: {
  readonly app: OauthApp;
  readonly onEdit: () => void;
  readonly onRemove: () => void;
}) {
  const { name, provider, client_id, redirect_uri, connect_url, push_endpoint } = app;
  return (
    <div className="row">
      <div className="split">
        <div className="row-title">
          <SafeText text={name} />
          <Badge>{providerNames[provider]}</Badge>
        </div>
        <div className="actions">
          <GuardedButton small onClick={onEdit}>
            Change
          </GuardedButton>
          <GuardedButton small kind="danger" onClick={onRemove}>
            Delete
          </GuardedButton>
        </div>
      </div>
      <Facts
        facts={[
          ['Client id', <CopyValue key="client" text={client_id} what="the client id" />],
          ['Redirect URI', <CopyValue key="redirect" text={redirect_uri} what="the redirect URI" />],
          ['Page to connect on', <CopyValue key="page" text={connect_url} what="the address of the page" />],
          ...(push_endpoint
            ? [
                [
                  'Push endpoint',
                  <CopyValue key="push" text={push_endpoint} what="the push endpoint" />,
                ] as const,
              ]
            : []),
        ]}
      />
    </div>
  );
}

function RemoveApp({ app, onClose }: { readonly app: OauthApp | null; readonly onClose: () => void }) {
  const remove = useAction((id: string) => parley.oauthApps.delete(id), {
    changed: [['oauth-apps'], ['limits']],
    done: 'The app is deleted',
  });
  if (!app) return null;
  const { id, name } = app;
  return (
    <ConfirmDialog
      isOpen
      onClose={onClose}
      title={`Delete ${visibleText(name)}?`}
      loses={
        <p>
          Its page for connecting mailboxes is gone, and no mailbox can be connected through it. Mailboxes
          that are connected keep working until they need a new consent.
        </p>
      }
      action="Delete app"
      isBusy={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate(id, { onSuccess: onClose })}
    />
  );
}
