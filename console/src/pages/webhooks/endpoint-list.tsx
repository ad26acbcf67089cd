/** The webhook endpoints of the workspace, and adding one. */
import type { NewWebhookEndpoint } from 'parley-client';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { parley } from '../../api/parley.ts';
import { useAction, useCursorList } from '../../api/queries.ts';
import { Dialog } from '../../kit/dialog.tsx';
import { EmptyState } from '../../kit/empty-state.tsx';
import { GuardedButton, ReadOnlyNote } from '../../kit/guarded.tsx';
import { RowLink, Rows } from '../../kit/list.tsx';
import { Page } from '../../kit/page.tsx';
import { SafeText } from '../../kit/safe-text.tsx';
import { SecretDialog } from '../../kit/secret-dialog.tsx';
import { eventTypes } from '../events/event-types.tsx';
import { EndpointForm, type EndpointSettings, newSettings } from './endpoint-form.tsx';
import { Health } from './health.tsx';

export function EndpointList() {
  const navigate = useNavigate();
  const list = useCursorList(['webhooks'], (cursor) => parley.webhookEndpoints.list({ cursor, limit: 100 }));
  const [isAdding, setAdding] = useState(false);
  const [created, setCreated] = useState<NewWebhookEndpoint | null>(null);
  const create = useAction((settings: EndpointSettings) => parley.webhookEndpoints.create(settings), {
    changed: [['webhooks'], ['limits']],
  });
  const add = (
    <GuardedButton kind="primary" onClick={() => setAdding(true)}>
      Add endpoint
    </GuardedButton>
  );
  return (
    <Page title="Webhooks" lead="URLs that events are posted to, signed." actions={add}>
      <ReadOnlyNote />
      <Rows
        label="Webhook endpoints"
        list={list}
        idOf={({ id }) => id}
        row={(endpoint) => (
          <RowLink to={`/webhooks/${endpoint.id}`}>
            <div className="row-title">
              <SafeText text={endpoint.url} isClipped />
              <Health endpoint={endpoint} />
            </div>
            <div className="row-detail">
              <span>
                {endpoint.subscriptions.length >= eventTypes.length
                  ? 'all events'
                  : `${endpoint.subscriptions.length} event type${endpoint.subscriptions.length === 1 ? '' : 's'}`}
              </span>
              {endpoint.routing.length > 0 && <span>{endpoint.routing.length} routing rules</span>}
              {endpoint.format === 'v1' && <span>format v1</span>}
            </div>
          </RowLink>
        )}
        empty={
          <EmptyState
            title="Hear of events as they happen"
            command={
              'curl -s "$PARLEY_BASE_URL/webhook-endpoints" -H "Authorization: Bearer $PARLEY_API_KEY" \\\n  --json \'{"url": "https://example.com/hooks", "subscriptions": ["email.received"]}\''
            }
            action={add}
          >
            Add the URL of your receiver. What it answers is shown here, and what failed can be sent again.
          </EmptyState>
        }
      />
      <Dialog isOpen={isAdding} onClose={() => setAdding(false)} title="Add an endpoint" isWide>
        <EndpointForm
          initial={newSettings}
          action="Add endpoint"
          error={create.error}
          isBusy={create.isPending}
          onCancel={() => setAdding(false)}
          onSubmit={(settings) =>
            create.mutate(settings, {
              onSuccess: (endpoint) => {
                setAdding(false);
                setCreated(endpoint);
              },
            })
          }
        />
      </Dialog>
      <SecretDialog
        secret={created?.secret ?? null}
        title="The signing secret"
        onClose={() => {
          if (created) navigate(`/webhooks/${created.id}`);
          setCreated(null);
        }}
      >
        Your receiver checks the signature of each delivery with it. If it is lost, rotate it.
      </SecretDialog>
    </Page>
  );
}
