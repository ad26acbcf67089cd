/** The settings of an endpoint as a form. */
import type { EventType, RoutingRule, WebhookEndpoint } from 'parley-client';
import { type FormEvent, useState } from 'react';
import { Button } from '../../kit/button.tsx';
import { Checkbox, Field, TextField } from '../../kit/field.tsx';
import { ProblemNotice } from '../../kit/problem-notice.tsx';
import { eventTypes } from '../events/event-types.tsx';
import { RoutingRules } from './routing-rules.tsx';

export interface EndpointSettings {
  readonly url: string;
  readonly subscriptions: readonly EventType[];
  readonly routing: readonly RoutingRule[];
  readonly include: readonly IncludedPart[];
  readonly max_concurrency: number;
}

type IncludedPart = WebhookEndpoint['include'][number];

const includedParts: Readonly<Record<IncludedPart, string>> = {
  text: 'Text',
  stripped_text: 'New words, without quotes and signature',
  attachment_text: 'Text of the files',
  headers: 'Headers',
};
const parts = Object.keys(includedParts) as IncludedPart[];

export const newSettings: EndpointSettings = {
  url: '',
  subscriptions: eventTypes,
  routing: [],
  include: [],
  max_concurrency: 16,
};

export function EndpointForm({
  initial,
  action,
  error,
  isBusy,
  onSubmit,
  onCancel,
}: {
  readonly initial: EndpointSettings;
  readonly action: string;
  readonly error: unknown;
  readonly isBusy: boolean;
  readonly onSubmit: (settings: EndpointSettings) => void;
  readonly onCancel: () => void;
}) {
  const [settings, setSettings] = useState(initial);
  const change = (part: Partial<EndpointSettings>) => setSettings((before) => ({ ...before, ...part }));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSubmit({ ...settings, url: settings.url.trim() });
  };
  return (
    <form onSubmit={submit}>
      <TextField
        label="URL"
        type="url"
        value={settings.url}
        onChange={({ target: { value } }) => change({ url: value })}
        placeholder="https://example.com/hooks"
        hint="Public and https. A 2xx answer within 10 seconds counts as delivered."
        spellCheck={false}
        required
        maxLength={2048}
      />
      <Subscriptions
        selected={settings.subscriptions}
        onChange={(subscriptions) => change({ subscriptions })}
      />
      <fieldset className="fieldset">
        <legend>Content in email.received</legend>
        <div className="columns">
          {parts.map((part) => (
            <Checkbox
              key={part}
              label={includedParts[part]}
              checked={settings.include.includes(part)}
              onChange={() => change({ include: toggled(parts, settings.include, part) })}
            />
          ))}
        </div>
      </fieldset>
      <RoutingRules rules={settings.routing} onChange={(routing) => change({ routing })} />
      <Field
        label="Deliveries at the same time"
        hint="1 to 128. The order of events is not kept, even with 1: order them by created_at."
      >
        {(wiring) => (
          <input
            {...wiring}
            type="number"
            min={1}
            max={128}
            required
            value={settings.max_concurrency}
            onChange={({ target }) => change({ max_concurrency: target.valueAsNumber || 1 })}
          />
        )}
      </Field>
      <ProblemNotice error={error} />
      <footer>
        <Button onClick={onCancel}>Cancel</Button>
        <Button kind="primary" type="submit" isBusy={isBusy} disabled={settings.subscriptions.length === 0}>
          {action}
        </Button>
      </footer>
    </form>
  );
}

/** The chosen ones of `all`, in its order, with `one` chosen or no longer. */
function toggled<Choice>(all: readonly Choice[], chosen: readonly Choice[], one: Choice): Choice[] {
  return all.filter((other) => chosen.includes(other) !== (other === one));
}

function Subscriptions({
  selected,
  onChange,
}: {
  readonly selected: readonly EventType[];
  readonly onChange: (types: readonly EventType[]) => void;
}) {
  const isAll = selected.length === eventTypes.length;
  return (
    <fieldset className="fieldset">
      <legend>Events</legend>
      <Checkbox
        label={<strong>All events</strong>}
        checked={isAll}
        onChange={() => onChange(isAll ? [] : eventTypes)}
      />
      <div className="columns">
        {eventTypes.map((type) => (
          <Checkbox
            key={type}
            label={type}
            checked={selected.includes(type)}
            onChange={() => onChange(toggled(eventTypes, selected, type))}
          />
        ))}
      </div>
      {selected.length === 0 && <p className="error">Choose at least one type.</p>}
    </fieldset>
  );
}
