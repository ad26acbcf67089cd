/** The windows of a schedule as text: exact to the minute. */
import type { PacingWindow } from 'parley-client';
import { Button } from '../../kit/button.tsx';
import { Checkbox, TextField } from '../../kit/field.tsx';
import { clockText, dayNames, minuteOf, weekDays, windowText } from './week.ts';

const windowsMax = 50;

export function WindowsForm({
  windows,
  onChange,
  isDisabled,
}: {
  readonly windows: readonly PacingWindow[];
  readonly onChange: (windows: readonly PacingWindow[]) => void;
  readonly isDisabled?: boolean;
}) {
  const set = (at: number, part: Partial<PacingWindow>) =>
    onChange(windows.map((window, index) => (index === at ? { ...window, ...part } : window)));
  return (
    <fieldset className="fieldset windows" disabled={isDisabled}>
      <legend>As text</legend>
      {windows.length === 0 && <p className="error">Nothing leaves: open at least half an hour.</p>}
      {windows.map((window, at) => (
        <details key={`${at} of ${windows.length}`}>
          <summary>{windowText(window)}</summary>
          <Window window={window} onChange={(part) => set(at, part)} />
          <Button kind="quiet" small onClick={() => onChange(windows.filter((_, index) => index !== at))}>
            Remove
          </Button>
        </details>
      ))}
      {windows.length < windowsMax && (
        <Button
          small
          onClick={() =>
            onChange([...windows, { days: [1, 2, 3, 4, 5], start_minute: 540, end_minute: 1020 }])
          }
        >
          Add hours
        </Button>
      )}
    </fieldset>
  );
}

function Window({
  window: { days, start_minute: start, end_minute: end },
  onChange,
}: {
  readonly window: PacingWindow;
  readonly onChange: (part: Partial<PacingWindow>) => void;
}) {
  const toggle = (day: number) => {
    const next = days.includes(day) ? days.filter((one) => one !== day) : [...days, day];
    if (next.length > 0) onChange({ days: next });
  };
  const time = (name: 'start_minute' | 'end_minute') => ({
    onBlur: ({ target }: { target: HTMLInputElement }) => {
      const minute = minuteOf(target.value);
      if (minute === undefined) target.value = clockText(name === 'start_minute' ? start : end);
      else onChange({ [name]: minute });
    },
  });
  return (
    <>
      <div className="columns">
        {weekDays.map((day) => (
          <Checkbox
            key={day}
            label={dayNames[day]}
            checked={days.includes(day)}
            onChange={() => toggle(day)}
          />
        ))}
      </div>
      <div className="form-row">
        <TextField
          label="From"
          key={`from ${start}`}
          defaultValue={clockText(start)}
          {...time('start_minute')}
        />
        <TextField
          label="To"
          key={`to ${end}`}
          defaultValue={clockText(end)}
          hint="At or before the start: on the next day."
          {...time('end_minute')}
        />
      </div>
    </>
  );
}
