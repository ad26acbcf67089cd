/** An endpoint: its deliveries, its settings, its secret. */
import type { WebhookEndpoint } from 'parley-client';
import { useState } from 'react';
import { useNavigate, useParams } from 'react-router';
import { parley } from '../../api/parley.ts';
import { useAction, useApi } from '../../api/queries.ts';
import { useMay } from '../../api/session.ts';
import { CopyValue } from '../../kit/copy.tsx';
import { ConfirmDialog, Dialog } from '../../kit/dialog.tsx';
import { GuardedButton, ReadOnlyNote } from '../../kit/guarded.tsx';
import { Icon } from '../../kit/icon.tsx';
import { Link } from '../../kit/link.tsx';
import { Menu } from '../../kit/menu.tsx';
import { Facts, Page, Section } from '../../kit/page.tsx';
import { ProblemNotice } from '../../kit/problem-notice.tsx';
import { Loading } from '../../kit/progress.tsx';
import { Time } from '../../kit/time.tsx';
import { visibleText } from '../../kit/visible-text.ts';
import { Deliveries } from './deliveries.tsx';
import { EndpointForm, type EndpointSettings } from './endpoint-form.tsx';
import { Health } from './health.tsx';
import { RotateDialog } from './rotate-dialog.tsx';
import { TestDialog } from './test-dialog.tsx';

const back = <Link to="/webhooks">Webhooks</Link>;

export function EndpointPage() {
  const { endpointId = '' } = useParams();
  const endpoint = useApi(['webhooks', endpointId], () => parley.webhookEndpoints.retrieve(endpointId));
  if (endpoint.isPending) return <Loading />;
  if (!endpoint.data) {
    return (
      <Page title="Endpoint" back={back}>
        <ProblemNotice error={endpoint.error} />
      </Page>
    );
  }
  return <Shown endpoint={endpoint.data} />;
}

type Opened = 'edit' | 'test' | 'rotate' | 'delete' | null;

function Shown({ endpoint }: { readonly endpoint: WebhookEndpoint }) {
  const { id, url, enabled } = endpoint;
  const may = useMay('full');
  const [opened, setOpened] = useState<Opened>(null);
  const close = () => setOpened(null);
  const pause = useAction((next: boolean) => parley.webhookEndpoints.update(id, { enabled: next }), {
    changed: [['webhooks']],
    done: ({ enabled: isOn }) =>
      isOn ? 'Events are posted again' : 'Paused: events of this time are not kept for it',
  });
  return (
    <Page
      title={visibleText(url)}
      back={back}
      lead={<Health endpoint={endpoint} />}
      actions={
        <>
          <GuardedButton onClick={() => setOpened('test')}>Send a test</GuardedButton>
          <GuardedButton onClick={() => pause.mutate(!enabled)} isBusy={pause.isPending}>
            {enabled ? 'Pause' : 'Go on'}
          </GuardedButton>
          <Menu
            label="More actions"
            actions={[
              { label: 'Change settings', onSelect: () => setOpened('edit'), isDisabled: !may },
              { label: 'Rotate the secret', onSelect: () => setOpened('rotate'), isDisabled: !may },
              { label: 'Delete', onSelect: () => setOpened('delete'), isDisabled: !may, isDanger: true },
            ]}
          >
            <Icon name="more" />
          </Menu>
        </>
      }
    >
      <ReadOnlyNote />
      <ProblemNotice error={pause.error} />
      <Deliveries endpointId={id} />
      <Settings endpoint={endpoint} />
      <EditDialog key={endpoint.updated_at} endpoint={endpoint} isOpen={opened === 'edit'} onClose={close} />
      <TestDialog endpoint={endpoint} isOpen={opened === 'test'} onClose={close} />
      <RotateDialog endpointId={id} isOpen={opened === 'rotate'} onClose={close} />
      <DeleteDialog endpoint={endpoint} isOpen={opened === 'delete'} onClose={close} />
    </Page>
  );
}

function Settings({ endpoint }: { readonly endpoint: WebhookEndpoint }) {
  const {
    id,
    subscriptions,
    routing,
    include,
    max_concurrency: concurrency,
    previous_secret_expires_at: until,
  } = endpoint;
  return (
    <Section title="Settings">
      <Facts
        facts={[
          ['Events', subscriptions.join(', ')],
          [
            'Routing',
            routing.length === 0
              ? 'All addresses'
              : routing
                  .map(({ effect, field, pattern }) => `${effect} ${field} ${visibleText(pattern)}`)
                  .join('; '),
          ],
          ['Content', include.length === 0 ? 'none' : include.join(', ')],
          ['At the same time', `${concurrency} deliveries`],
          [
            'Secret',
            until ? (
              <>
                the previous one signs too, until <Time at={until} isAbsolute />
              </>
            ) : (
              'one'
            ),
          ],
          ['Id', <CopyValue key="id" text={id} what="the id of the endpoint" />],
          ['Added', <Time key="at" at={endpoint.created_at} isAbsolute />],
        ]}
      />
    </Section>
  );
}

interface Opening {
  readonly endpoint: WebhookEndpoint;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

function EditDialog({ endpoint, isOpen, onClose }: Opening) {
  const change = useAction(
    (settings: EndpointSettings) => parley.webhookEndpoints.update(endpoint.id, settings),
    { changed: [['webhooks']], done: 'The settings are changed' },
  );
  const { url, subscriptions, routing, include, max_concurrency } = endpoint;
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title="Settings of the endpoint" isWide>
      <EndpointForm
        initial={{ url, subscriptions, routing, include, max_concurrency }}
        action="Save"
        error={change.error}
        isBusy={change.isPending}
        onCancel={onClose}
        onSubmit={(settings) => change.mutate(settings, { onSuccess: onClose })}
      />
    </Dialog>
  );
}

function DeleteDialog({ endpoint: { id, url }, isOpen, onClose }: Opening) {
  const navigate = useNavigate();
  const remove = useAction(() => parley.webhookEndpoints.delete(id), {
    changed: [['webhooks'], ['limits']],
    gone: ['webhooks', id],
    done: 'The endpoint is deleted',
  });
  return (
    <ConfirmDialog
      isOpen={isOpen}
      onClose={onClose}
      title="Delete the endpoint?"
      loses={
        <p>
          Nothing is posted to <strong>{visibleText(url)}</strong> any longer, also what waits to be tried
          again. Its secret and the list of its deliveries go. Events stay in the event log.
        </p>
      }
      action="Delete endpoint"
      isBusy={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate(undefined, { onSuccess: () => navigate('/webhooks') })}
    />
  );
}
