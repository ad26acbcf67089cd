/** Posts a test event, and shows what the endpoint answers. */
import type { EventType, WebhookEndpoint } from 'parley-client';
import { type FormEvent, useState } from 'react';
import { parley } from '../../api/parley.ts';
import { useAction } from '../../api/queries.ts';
import { Badge } from '../../kit/badge.tsx';
import { Button } from '../../kit/button.tsx';
import { Dialog } from '../../kit/dialog.tsx';
import { Select, TextArea } from '../../kit/field.tsx';
import { Answer } from '../../kit/json.tsx';
import { ProblemNotice } from '../../kit/problem-notice.tsx';
import { visibleText } from '../../kit/visible-text.ts';
import { eventTypes } from '../events/event-types.tsx';

/** undefined: not an object of JSON. */
function payloadOf(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return value !== null && typeof value === 'object' && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}

export function TestDialog({
  endpoint: { id, subscriptions },
  isOpen,
  onClose,
}: {
  readonly endpoint: WebhookEndpoint;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}) {
  const [type, setType] = useState<EventType>(subscriptions[0] ?? 'email.received');
  const [text, setText] = useState('{\n  "test": true\n}');
  const payload = payloadOf(text);
  const test = useAction(
    () => parley.webhookEndpoints.test(id, { event_type: type, payload: payload ?? {} }),
    { changed: [['webhooks', id]] },
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    test.mutate(undefined);
  };
  const result = test.data;
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title="Send a test event" isWide>
      <form onSubmit={submit}>
        <Select
          label="Event type"
          value={type}
          onChange={({ target: { value } }) => setType(value as EventType)}
          choices={eventTypes.map((one) => ({ value: one, label: one }))}
        />
        <TextArea
          label="data"
          value={text}
          onChange={(event) => setText(event.target.value)}
          error={payload ? null : 'This is no JSON object.'}
          spellCheck={false}
        />
        <ProblemNotice error={test.error} />
        <div aria-live="polite" className="stack">
          {result && (
            <p>
              <Badge tone={result.state === 'delivered' ? 'good' : 'bad'}>
                {result.state === 'delivered' ? 'Delivered' : 'Not delivered'}
              </Badge>{' '}
              {result.status_code !== null && `Status ${result.status_code}. `}
              {result.duration_ms !== null && `${result.duration_ms} ms. `}
              {result.error && visibleText(result.error)}
            </p>
          )}
          {result?.response && <Answer text={result.response} what="the answer" />}
        </div>
        <footer>
          <Button onClick={onClose}>Close</Button>
          <Button kind="primary" type="submit" isBusy={test.isPending} disabled={!payload}>
            {test.isPending ? 'Waiting for the answer' : 'Send'}
          </Button>
        </footer>
      </form>
    </Dialog>
  );
}
