/** The deliveries of an endpoint: state, body, attempts with their answers; sending some again. */
import type { WebhookAttempt, WebhookDelivery, WebhookDeliveryState } from 'parley-client';
import { useState } from 'react';
import { parley } from '../../api/parley.ts';
import { useAction, useCursorList } from '../../api/queries.ts';
import { Badge, type Tone } from '../../kit/badge.tsx';
import { CopyValue } from '../../kit/copy.tsx';
import { EmptyState } from '../../kit/empty-state.tsx';
import { Select } from '../../kit/field.tsx';
import { GuardedButton } from '../../kit/guarded.tsx';
import { Answer, Json } from '../../kit/json.tsx';
import { Rows } from '../../kit/list.tsx';
import { Section } from '../../kit/page.tsx';
import { ProblemNotice } from '../../kit/problem-notice.tsx';
import { Time } from '../../kit/time.tsx';
import { visibleText } from '../../kit/visible-text.ts';

const states: Readonly<Record<WebhookDeliveryState, { tone: Tone; text: string }>> = {
  pending: { tone: 'accent', text: 'Pending' },
  delivered: { tone: 'good', text: 'Delivered' },
  failed: { tone: 'bad', text: 'Failed' },
};

const retriedMax = 100;

export function Deliveries({ endpointId }: { readonly endpointId: string }) {
  const [state, setState] = useState<WebhookDeliveryState | ''>('');
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const list = useCursorList(
    ['webhooks', endpointId, 'deliveries', state],
    (cursor) =>
      parley.webhookEndpoints.listDeliveries(endpointId, { cursor, limit: 50, ...(state && { state }) }),
    3_000,
  );
  const retry = useAction(
    (ids: readonly string[]) => parley.webhookEndpoints.retryDeliveries(endpointId, { delivery_ids: ids }),
    {
      changed: [['webhooks', endpointId]],
      done: ({ data }) => `${data.length} ${data.length === 1 ? 'delivery is' : 'deliveries are'} sent again`,
    },
  );
  const choose = (id: string) =>
    setChosen((before) => {
      const after = new Set(before);
      if (!after.delete(id) && after.size < retriedMax) after.add(id);
      return after;
    });
  const replay = (ids: readonly string[]) => retry.mutate(ids, { onSuccess: () => setChosen(new Set()) });
  const failed = list.items.filter((delivery) => delivery.state === 'failed').slice(0, retriedMax);
  return (
    <Section
      title="Deliveries"
      actions={
        <>
          <GuardedButton
            small
            onClick={() => setChosen(new Set(failed.map(({ id }) => id)))}
            disabled={failed.length === 0}
          >
            Choose failed
          </GuardedButton>
          <GuardedButton
            small
            kind="primary"
            onClick={() => replay([...chosen])}
            disabled={chosen.size === 0}
            isBusy={retry.isPending}
          >
            {chosen.size > 0 ? `Send ${chosen.size} again` : 'Send again'}
          </GuardedButton>
        </>
      }
    >
      <div className="filters">
        <Select
          label="State"
          value={state}
          onChange={({ target: { value } }) => setState(value as WebhookDeliveryState | '')}
          choices={[
            { value: '', label: 'All' },
            ...Object.entries(states).map(([value, { text }]) => ({ value, label: text })),
          ]}
        />
      </div>
      <ProblemNotice error={retry.error} />
      <Rows
        label="Deliveries, newest first"
        list={list}
        idOf={({ id }) => id}
        row={(delivery) => (
          <DeliveryRow
            delivery={delivery}
            isChosen={chosen.has(delivery.id)}
            onChoose={() => choose(delivery.id)}
            onReplay={() => replay([delivery.id])}
          />
        )}
        empty={
          <EmptyState title={state ? 'No delivery in this state' : 'No deliveries yet'}>
            {state ? 'Choose another state.' : 'Send a test, or an email: its events come here.'}
          </EmptyState>
        }
      />
    </Section>
  );
}

function DeliveryRow({
  delivery,
  isChosen,
  onChoose,
  onReplay,
}: {
  readonly delivery: WebhookDelivery;
  readonly isChosen: boolean;
  readonly onChoose: () => void;
  readonly onReplay: () => void;
}) {
  const [isOpen, setOpen] = useState(false);
  const { id, state, event_type: type, attempts, created_at: at } = delivery;
  const last = attempts.at(-1);
  return (
    <>
      <div className="delivery-head">
        <input
          type="checkbox"
          aria-label={`Choose ${type}, ${state}`}
          checked={isChosen}
          onChange={onChoose}
        />
        <span>
          <Badge tone={states[state].tone}>{states[state].text}</Badge>
        </span>
        <button
          type="button"
          className="delivery-toggle"
          aria-expanded={isOpen}
          aria-controls={id}
          onClick={() => setOpen(!isOpen)}
        >
          {type}
        </button>
        <span className="answer soft">{last ? outcomeOf(last) : ''}</span>
        <Time at={at} />
        {state === 'failed' && !isOpen && (
          <GuardedButton small onClick={onReplay} aria-label={`Send again: ${type}`}>
            Send again
          </GuardedButton>
        )}
      </div>
      {isOpen && (
        <div className="delivery-body" id={id}>
          <DeliveryBody delivery={delivery} onReplay={onReplay} />
        </div>
      )}
    </>
  );
}

const outcomeOf = ({ status_code: status, error, duration_ms: ms }: WebhookAttempt): string =>
  `${status ?? (error ? 'no answer' : '–')} · ${ms} ms`;

function DeliveryBody({
  delivery,
  onReplay,
}: {
  readonly delivery: WebhookDelivery;
  readonly onReplay: () => void;
}) {
  const { id, event_id: eventId, body, attempts, state, next_attempt_at: next } = delivery;
  return (
    <>
      <div className="actions">
        <GuardedButton small onClick={onReplay}>
          Send again
        </GuardedButton>
        <CopyValue text={id} what="the id of the delivery" />
        <CopyValue text={eventId} what="the id of the event" />
      </div>
      {state === 'pending' && next && (
        <p>
          The next attempt is <Time at={next} />.
        </p>
      )}
      <div className="attempts stack">
        <h3>Attempts</h3>
        {attempts.length === 0 && <p className="soft">None has ended yet.</p>}
        {attempts.map((attempt, at) => (
          <div key={attempt.id}>
            <strong>{at + 1}.</strong> {outcomeOf(attempt)} <Time at={attempt.attempted_at} />
            {attempt.error && <p className="error">{visibleText(attempt.error)}</p>}
            {attempt.response && <Answer text={attempt.response} what={`answer ${at + 1}`} />}
          </div>
        ))}
      </div>
      {body && (
        <div>
          <h3>Body</h3>
          <Json value={body} what="the body" />
        </div>
      )}
    </>
  );
}
