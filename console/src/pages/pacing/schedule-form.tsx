/** Hours of the week: painted, or as text. Both show the same windows. */
import type { PacingSchedule } from 'parley-client';
import { Select } from '../../kit/field.tsx';
import { isAligned, weekOf, windowsOf } from './week.ts';
import { WeekGrid } from './week-grid.tsx';
import { WindowsForm } from './windows-form.tsx';

const zones = Intl.supportedValuesOf('timeZone');

export function ScheduleForm({
  schedule,
  onChange,
  isDisabled,
}: {
  readonly schedule: PacingSchedule;
  readonly onChange: (schedule: PacingSchedule) => void;
  readonly isDisabled?: boolean;
}) {
  const { timezone, windows } = schedule;
  const names = [...new Set([timezone, 'UTC', ...zones])];
  return (
    <>
      <Select
        label="Time zone"
        value={timezone}
        disabled={isDisabled}
        onChange={(event) => onChange({ ...schedule, timezone: event.target.value })}
        hint="Daylight saving time is followed."
        choices={names.map((name) => ({ value: name, label: name.replaceAll('_', ' ') }))}
      />
      <div className="schedule">
        <WeekGrid
          week={weekOf(windows)}
          isDisabled={isDisabled}
          onChange={(week) => onChange({ ...schedule, windows: windowsOf(week) })}
        />
        <div>
          <WindowsForm
            windows={windows}
            isDisabled={isDisabled}
            onChange={(next) => onChange({ ...schedule, windows: next })}
          />
          {!isAligned(windows) && (
            <p className="hint">Some hours begin or end within a half hour: painting rounds them.</p>
          )}
        </div>
      </div>
    </>
  );
}
