/** Which mail a rule is for. */
import type { PacingMatch } from 'parley-client';
import { Button } from '../../kit/button.tsx';
import { Select, TextField } from '../../kit/field.tsx';

const matchesMax = 50;

export function MatchForm({
  match,
  onChange,
  isDisabled,
}: {
  readonly match: readonly PacingMatch[];
  readonly onChange: (match: readonly PacingMatch[]) => void;
  readonly isDisabled?: boolean;
}) {
  const set = (at: number, part: Partial<PacingMatch>) =>
    onChange(match.map((one, index) => (index === at ? { ...one, ...part } : one)));
  return (
    <fieldset className="fieldset" disabled={isDisabled}>
      <legend className="hidden">Addresses</legend>
      <p className="hint">
        {match.length === 0
          ? 'For every email.'
          : 'For emails that one of these matches; * stands for any characters.'}
      </p>
      {match.map((one, at) => (
        <div className="matching" key={`${at} of ${match.length}`}>
          <Select
            label={`Addresses of pattern ${at + 1}`}
            hideLabel
            value={one.field}
            onChange={({ target: { value } }) => set(at, { field: value as PacingMatch['field'] })}
            choices={[
              { value: 'to', label: 'to' },
              { value: 'from', label: 'from' },
              { value: 'either', label: 'from or to' },
            ]}
          />
          <TextField
            label={`Pattern ${at + 1}`}
            hideLabel
            value={one.pattern}
            onChange={({ target: { value } }) => set(at, { pattern: value })}
            placeholder="*@gmail.com"
            required
            maxLength={320}
          />
          <Button
            kind="quiet"
            aria-label={`Remove pattern ${at + 1}`}
            onClick={() => onChange(match.filter((_, index) => index !== at))}
          >
            Remove
          </Button>
        </div>
      ))}
      {match.length < matchesMax && (
        <Button small onClick={() => onChange([...match, { field: 'to', pattern: '' }])}>
          Only certain addresses
        </Button>
      )}
    </fieldset>
  );
}
