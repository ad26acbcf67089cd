/** Leads to the consent page of a provider; the browser comes back to the list. */
import type { Mailbox, MailboxProvider } from 'parley-client';
import { type FormEvent, useState } from 'react';
import { parley } from '../../api/parley.ts';
import { useAction, useApi } from '../../api/queries.ts';
import { Button } from '../../kit/button.tsx';
import { Dialog } from '../../kit/dialog.tsx';
import { Select } from '../../kit/field.tsx';
import { ProblemNotice } from '../../kit/problem-notice.tsx';
import { visibleText } from '../../kit/visible-text.ts';
import { providerNames } from './mailbox-tabs.tsx';

const backfills = [
  { value: '0', label: 'Only new mail' },
  { value: '7', label: 'The last 7 days' },
  { value: '30', label: 'The last 30 days' },
  { value: '90', label: 'The last 90 days' },
];

export function ConnectDialog({
  known,
  onClose,
}: {
  readonly known: Mailbox | null;
  readonly onClose: () => void;
}) {
  const [provider, setProvider] = useState<MailboxProvider>(known?.provider ?? 'google');
  const [appId, setAppId] = useState(known?.app_id ?? '');
  const [days, setDays] = useState('0');
  const apps = useApi(['oauth-apps', 'all'], () => parley.oauthApps.list({ limit: 100 }));
  const connect = useAction(
    () =>
      parley.mailboxes.connect({
        provider,
        return_to: `${location.origin}/console/mailboxes`,
        backfill_days: Number(days),
        ...(appId && { app_id: appId }),
        ...(known?.space_id && { space_id: known.space_id }),
      }),
    {},
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    connect.mutate(undefined, { onSuccess: ({ url }) => location.assign(url) });
  };
  const own = (apps.data?.items ?? []).filter((app) => app.provider === provider);
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={known ? `Connect ${visibleText(known.address)} again` : 'Connect a mailbox'}
    >
      <form onSubmit={submit}>
        {!known && (
          <Select
            label="Provider"
            value={provider}
            onChange={({ target: { value } }) => {
              setProvider(value as MailboxProvider);
              setAppId('');
            }}
            choices={[
              { value: 'google', label: 'Gmail' },
              { value: 'microsoft', label: 'Microsoft 365 and Outlook.com' },
            ]}
          />
        )}
        <Select
          label="OAuth app"
          value={appId}
          onChange={(event) => setAppId(event.target.value)}
          hint="It is named on the consent page."
          choices={[
            { value: '', label: 'Shared by the deployment' },
            ...own.map(({ id, name }) => ({ value: id, label: visibleText(name) })),
          ]}
        />
        <Select
          label="Earlier mail"
          value={days}
          onChange={(event) => setDays(event.target.value)}
          choices={backfills}
        />
        <ProblemNotice error={connect.error} />
        <footer>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" isBusy={connect.isPending || connect.isSuccess}>
            Go to {providerNames[provider]}
          </Button>
        </footer>
      </form>
    </Dialog>
  );
}
