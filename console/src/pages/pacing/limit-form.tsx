/** How much mail leaves in which time. */
import type { PacingLimit } from 'parley-client';
import { useState } from 'react';
import { Field, Select } from '../../kit/field.tsx';
import { scopeTexts } from './rule-text.ts';

const units = [
  { value: '1', label: 'seconds' },
  { value: '60', label: 'minutes' },
  { value: '3600', label: 'hours' },
  { value: '86400', label: 'days' },
];

const unitOf = (seconds: number): number =>
  units.map(({ value }) => Number(value)).findLast((unit) => seconds % unit === 0) ?? 1;

export function LimitForm({
  limit,
  onChange,
  isDisabled,
}: {
  readonly limit: PacingLimit;
  readonly onChange: (limit: PacingLimit) => void;
  readonly isDisabled?: boolean;
}) {
  const [unit, setUnit] = useState(unitOf(limit.per_seconds));
  const { amount, per_seconds: seconds, scope } = limit;
  return (
    <fieldset className="fieldset" disabled={isDisabled}>
      <legend className="hidden">Limit</legend>
      <div className="form-row">
        <Field label="Emails">
          {(wiring) => (
            <input
              {...wiring}
              type="number"
              min={1}
              max={1_000_000}
              required
              value={amount}
              onChange={({ target }) => onChange({ ...limit, amount: target.valueAsNumber || 1 })}
            />
          )}
        </Field>
        <Field label="within">
          {(wiring) => (
            <input
              {...wiring}
              type="number"
              min={1}
              max={Math.floor(2_678_400 / unit)}
              required
              value={Math.round(seconds / unit)}
              onChange={({ target }) =>
                onChange({ ...limit, per_seconds: (target.valueAsNumber || 1) * unit })
              }
            />
          )}
        </Field>
        <Select
          label="of"
          value={String(unit)}
          onChange={({ target: { value } }) => {
            onChange({ ...limit, per_seconds: Math.round(seconds / unit) * Number(value) });
            setUnit(Number(value));
          }}
          choices={units}
        />
        <Select
          label="counted for"
          value={scope}
          onChange={({ target: { value } }) => onChange({ ...limit, scope: value as PacingLimit['scope'] })}
          choices={Object.entries(scopeTexts).map(([value, label]) => ({ value, label }))}
        />
      </div>
    </fieldset>
  );
}
