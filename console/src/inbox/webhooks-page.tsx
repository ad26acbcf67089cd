/** Webhooks: the built-in receiver with the check of each signature, beside the log of the endpoints. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { EventType, WebhookDelivery, WebhookEndpoint } from 'parley-client';
import { useState } from 'react';
import { parley } from '../api/parley.ts';
import { Badge, type Tone } from '../kit/badge.tsx';
import { Button } from '../kit/button.tsx';
import { Select } from '../kit/field.tsx';
import { Page } from '../kit/page.tsx';
import { ProblemNotice } from '../kit/problem-notice.tsx';
import { Loading } from '../kit/progress.tsx';
import { Time } from '../kit/time.tsx';
import { control } from './control.ts';
import { Plain } from './plain.tsx';
import { useRunFacts } from './queries.ts';

interface Received {
  readonly id: string;
  readonly at: string;
  readonly endpoint_id: string | null;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly bytes: number;
  readonly signature: 'valid' | 'invalid' | 'missing' | 'unknown-secret';
  readonly answered: number;
}

interface ReceiverState {
  readonly data: readonly Received[];
  readonly status: number;
  readonly endpoints: readonly { readonly path: string; readonly endpoint_id: string }[];
}

const receiverUrl = `${location.origin}/_control/receiver`;
const path = 'inbox';

/** Creates an endpoint that sends everything here, and gives its secret to the receiver. */
async function connect(subscriptions: readonly EventType[]): Promise<void> {
  const url = `${receiverUrl}/${path}`;
  const { id, secret } = await parley.webhookEndpoints.create({ url, subscriptions: [...subscriptions] });
  await control('POST', `/receiver/${path}/endpoint`, { endpoint_id: id, secret });
}

export function WebhooksPage() {
  const client = useQueryClient();
  const receiver = useQuery({
    queryKey: ['receiver'],
    queryFn: () => control<ReceiverState>('GET', '/receiver'),
  });
  const endpoints = useQuery({
    queryKey: ['service', 'endpoints'],
    queryFn: async () => (await parley.webhookEndpoints.list({ limit: 100 })).items,
  });
  const { data: facts } = useRunFacts();
  const connecting = useMutation({
    mutationFn: () => connect(facts?.eventTypes ?? []),
    onSuccess: () => client.invalidateQueries(),
  });
  const known = new Set(receiver.data?.endpoints.map(({ endpoint_id }) => endpoint_id));
  const isConnected = endpoints.data?.some(({ id }) => known.has(id)) ?? false;
  return (
    <Page
      title="Webhooks"
      lead="What the endpoints of the workspace were sent, and what the built-in receiver got."
      isWide
      actions={
        !isConnected && (
          <Button kind="primary" onClick={() => connecting.mutate()} isBusy={connecting.isPending}>
            Send all events here
          </Button>
        )
      }
    >
      <ProblemNotice error={connecting.error ?? receiver.error} />
      <div className="two-panes">
        <section aria-labelledby="received">
          <ReceiverHead state={receiver.data} />
          {receiver.isPending && <Loading rows={3} />}
          {receiver.data?.data.length === 0 && (
            <p className="soft">
              {isConnected
                ? 'Nothing yet: send an email, or answer one.'
                : `Nothing yet. An endpoint with the URL ${receiverUrl}/NAME sends its events here.`}
            </p>
          )}
          <ol className="log">
            {receiver.data?.data.map((one) => (
              <li key={one.id}>
                <ReceivedEvent event={one} />
              </li>
            ))}
          </ol>
        </section>
        <section aria-labelledby="endpoint-log">
          <h2 id="endpoint-log">Log of the endpoints</h2>
          <ProblemNotice error={endpoints.error} />
          {endpoints.data?.length === 0 && <p className="soft">The workspace has no endpoint.</p>}
          {endpoints.data?.map((endpoint) => (
            <EndpointLog key={endpoint.id} endpoint={endpoint} />
          ))}
        </section>
      </div>
    </Page>
  );
}

const answers = [
  { value: '200', label: '200: taken' },
  { value: '500', label: '500: fails, is sent again' },
  { value: '410', label: '410: gone' },
];

function ReceiverHead({ state }: { readonly state: ReceiverState | undefined }) {
  const client = useQueryClient();
  const refresh = () => client.invalidateQueries({ queryKey: ['receiver'] });
  return (
    <header className="section-head">
      <h2 id="received">Received</h2>
      <Select
        label="Answer with"
        choices={answers}
        value={String(state?.status ?? 200)}
        onChange={(event) =>
          void control('POST', '/receiver', { status: Number(event.target.value) }).then(refresh)
        }
      />
      <Button small onClick={() => void control('DELETE', '/receiver').then(refresh)}>
        Clear
      </Button>
    </header>
  );
}

const signatureTones: Readonly<Record<Received['signature'], Tone>> = {
  valid: 'good',
  invalid: 'bad',
  missing: 'bad',
  'unknown-secret': 'warn',
};

function typeOf(body: string): string {
  return /"type"\s{0,9}:\s{0,9}"([\w.]{1,80})"/.exec(body.slice(0, 2_000))?.[1] ?? '(no type)';
}

function ReceivedEvent({ event }: { readonly event: Received }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <details onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}>
      <summary>
        <strong>{typeOf(event.body)}</strong>{' '}
        <Badge tone={signatureTones[event.signature]}>signature {event.signature.replace('-', ' ')}</Badge>{' '}
        {event.answered !== 200 && <Badge tone="warn">answered {event.answered}</Badge>}{' '}
        <Time at={event.at} />
      </summary>
      {isOpen && (
        <>
          <Plain
            isSmall
            label="Header fields"
            text={Object.entries(event.headers)
              .map((row) => row.join(': '))
              .join('\n')}
          />
          <Plain isSmall label="Body" text={indented(event.body)} />
        </>
      )}
    </details>
  );
}

function indented(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}

function EndpointLog({ endpoint }: { readonly endpoint: WebhookEndpoint }) {
  const { data, error } = useQuery({
    queryKey: ['service', 'deliveries', endpoint.id],
    queryFn: async () => (await parley.webhookEndpoints.listDeliveries(endpoint.id, { limit: 25 })).items,
  });
  return (
    <div className="endpoint">
      <h3>
        <bdi>{endpoint.url}</bdi>
      </h3>
      <ProblemNotice error={error} />
      {data?.length === 0 && <p className="soft">Nothing was sent to it yet.</p>}
      <ol className="log">
        {data?.map((delivery) => (
          <li key={delivery.id}>
            <Delivery delivery={delivery} />
          </li>
        ))}
      </ol>
    </div>
  );
}

function Delivery({ delivery }: { readonly delivery: WebhookDelivery }) {
  const tone: Tone = delivery.state === 'delivered' ? 'good' : delivery.state === 'failed' ? 'bad' : 'warn';
  return (
    <details>
      <summary>
        <strong>{delivery.event_type}</strong> <Badge tone={tone}>{delivery.state}</Badge>{' '}
        <Time at={delivery.created_at} />
      </summary>
      <ol className="history">
        {delivery.attempts.map(({ id, attempted_at, status_code, error, duration_ms }) => (
          <li key={id}>
            <Time at={attempted_at} /> {status_code ?? error}, {duration_ms} ms
          </li>
        ))}
        {delivery.next_attempt_at && (
          <li>
            next attempt <Time at={delivery.next_attempt_at} />
          </li>
        )}
      </ol>
    </details>
  );
}
