/** Rules that select events by the addresses of their email. */
import type { RoutingRule } from 'parley-client';
import { Button } from '../../kit/button.tsx';
import { Select, TextField } from '../../kit/field.tsx';

const rulesMax = 100;

export function RoutingRules({
  rules,
  onChange,
}: {
  readonly rules: readonly RoutingRule[];
  readonly onChange: (rules: readonly RoutingRule[]) => void;
}) {
  const set = (at: number, part: Partial<RoutingRule>) =>
    onChange(rules.map((rule, index) => (index === at ? { ...rule, ...part } : rule)));
  return (
    <fieldset className="fieldset">
      <legend>Routing</legend>
      <p className="hint">
        {rules.length === 0
          ? 'Events about all addresses are posted.'
          : 'A block rule that matches drops an event. With allow rules, one of them must match.'}
      </p>
      {rules.map((rule, at) => (
        <div className="routing-rule" key={at}>
          <Select
            label={`Effect of rule ${at + 1}`}
            hideLabel
            value={rule.effect}
            onChange={({ target: { value } }) => set(at, { effect: value === 'block' ? 'block' : 'allow' })}
            choices={[
              { value: 'allow', label: 'Allow' },
              { value: 'block', label: 'Block' },
            ]}
          />
          <Select
            label={`Addresses of rule ${at + 1}`}
            hideLabel
            value={rule.field}
            onChange={({ target: { value } }) => set(at, { field: value as RoutingRule['field'] })}
            choices={[
              { value: 'either', label: 'from or to' },
              { value: 'from', label: 'from' },
              { value: 'to', label: 'to' },
            ]}
          />
          <TextField
            label={`Pattern of rule ${at + 1}`}
            hideLabel
            value={rule.pattern}
            onChange={({ target: { value } }) => set(at, { pattern: value })}
            placeholder="*@acme.dev"
            required
            maxLength={320}
          />
          <Button
            kind="quiet"
            aria-label={`Remove rule ${at + 1}`}
            onClick={() => onChange(rules.filter((_, index) => index !== at))}
          >
            Remove
          </Button>
        </div>
      ))}
      {rules.length < rulesMax && (
        <Button small onClick={() => onChange([...rules, { effect: 'allow', field: 'either', pattern: '' }])}>
          Add a rule
        </Button>
      )}
    </fieldset>
  );
}
