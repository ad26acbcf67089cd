/** Chooses event types. None chosen: all. */
import type { EventType } from 'parley-client';
import { Button } from '../../kit/button.tsx';
import { eventTypes } from './event-types.tsx';

export function TypeFilter({
  selected,
  onChange,
}: {
  readonly selected: readonly EventType[];
  readonly onChange: (types: readonly EventType[]) => void;
}) {
  const toggle = (type: EventType) =>
    onChange(selected.includes(type) ? selected.filter((one) => one !== type) : [...selected, type]);
  return (
    <fieldset className="chips">
      <legend className="hidden">Event types</legend>
      {eventTypes.map((type) => (
        <label key={type} className="chip">
          <input type="checkbox" checked={selected.includes(type)} onChange={() => toggle(type)} />
          {type}
        </label>
      ))}
      {selected.length > 0 && (
        <Button kind="quiet" small onClick={() => onChange([])}>
          All types
        </Button>
      )}
    </fieldset>
  );
}
