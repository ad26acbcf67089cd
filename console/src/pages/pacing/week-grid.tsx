/** A week that one paints: by dragging with mouse, pen or finger, or by keyboard. */
import { type KeyboardEvent, type PointerEvent, useRef, useState } from 'react';
import { Button } from '../../kit/button.tsx';
import { classes } from '../../kit/classes.ts';
import { clockText, dayNames, rectangle, slotAt, slotsOfDay, type Week, weekDays } from './week.ts';

interface Stroke {
  readonly anchor: number;
  /** What the stroke paints: open or closed. */
  readonly opens: boolean;
  /** The week before it. */
  readonly before: Week;
}

function painted({ anchor, opens, before }: Stroke, to: number): Week {
  const after = new Set(before);
  for (const slot of rectangle(anchor, to)) {
    if (opens) after.add(slot);
    else after.delete(slot);
  }
  return after;
}

function slotUnder({ clientX, clientY }: PointerEvent): number | null {
  const cell = document.elementFromPoint(clientX, clientY)?.closest<HTMLElement>('[data-slot]');
  return cell ? Number(cell.dataset.slot) : null;
}

/** Where an arrow key leads; null: nowhere. */
function nextSlot(slot: number, key: string): number | null {
  const column = weekDays.findIndex((day) => day === Math.floor(slot / slotsOfDay));
  const row = slot % slotsOfDay;
  const [toColumn, toRow] = {
    ArrowLeft: [column - 1, row],
    ArrowRight: [column + 1, row],
    ArrowUp: [column, row - 1],
    ArrowDown: [column, row + 1],
    Home: [0, row],
    End: [6, row],
    PageUp: [column, Math.max(0, row - 6)],
    PageDown: [column, Math.min(slotsOfDay - 1, row + 6)],
  }[key] ?? [-1, -1];
  const day = weekDays[toColumn ?? -1];
  if (day === undefined || toRow === undefined || toRow < 0 || toRow >= slotsOfDay) return null;
  return slotAt(day, toRow);
}

export function WeekGrid({
  week,
  onChange,
  isDisabled,
}: {
  readonly week: Week;
  readonly onChange: (week: Week) => void;
  readonly isDisabled?: boolean;
}) {
  const grid = useRef<HTMLTableElement>(null);
  const stroke = useRef<Stroke | null>(null);
  const [current, setCurrent] = useState(slotAt(1, 18));
  const begin = (slot: number) => {
    stroke.current = { anchor: slot, opens: !week.has(slot), before: week };
    onChange(painted(stroke.current, slot));
  };
  const down = (event: PointerEvent) => {
    const slot = slotUnder(event);
    if (slot === null || isDisabled || event.button !== 0) return;
    event.preventDefault();
    grid.current?.setPointerCapture(event.pointerId);
    setCurrent(slot);
    begin(slot);
  };
  const move = (event: PointerEvent) => {
    const slot = stroke.current && grid.current?.hasPointerCapture(event.pointerId) ? slotUnder(event) : null;
    if (slot !== null && stroke.current) onChange(painted(stroke.current, slot));
  };
  const end = () => {
    stroke.current = null;
  };
  const key = (event: KeyboardEvent) => {
    if ((event.key === ' ' || event.key === 'Enter') && !isDisabled) {
      event.preventDefault();
      begin(current);
      return;
    }
    const next = nextSlot(current, event.key);
    if (next === null) return;
    event.preventDefault();
    setCurrent(next);
    grid.current?.querySelector<HTMLElement>(`[data-slot="${next}"]`)?.focus();
    if (!event.shiftKey) stroke.current = null;
    else if (!isDisabled) {
      stroke.current ??= { anchor: current, opens: week.has(current), before: week };
      onChange(painted(stroke.current, next));
    }
  };
  return (
    <div className="week">
      <table
        ref={grid}
        // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: the grid pattern of the ARIA Authoring Practices, on a table.
        role="grid"
        aria-label="Open half hours of the week"
        aria-multiselectable="true"
        aria-disabled={isDisabled || undefined}
        onPointerDown={down}
        onPointerMove={move}
        onPointerUp={end}
        onPointerCancel={end}
        onKeyDown={key}
      >
        <thead>
          <tr>
            <td />
            {weekDays.map((day) => (
              <th key={day} scope="col">
                <span aria-hidden="true">{dayNames[day].slice(0, 3)}</span>
                <span className="hidden">{dayNames[day]}</span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {Array.from({ length: slotsOfDay }, (_, slot) => (
            <Row key={clockText(slot * 30)} slot={slot} week={week} current={current} />
          ))}
        </tbody>
      </table>
      <div className="actions">
        <Button small disabled={isDisabled} onClick={() => onChange(officeHours)}>
          Mon–Fri 09:00–17:00
        </Button>
        <Button small disabled={isDisabled} onClick={() => onChange(new Set())}>
          Clear
        </Button>
      </div>
      <p className="hint">
        Drag to open or close. By keyboard: arrows move, space changes, Shift and arrows paint what the half
        hour has.
      </p>
    </div>
  );
}

const officeHours: Week = new Set(rectangle(slotAt(1, 18), slotAt(5, 33)));

function Row({
  slot,
  week,
  current,
}: {
  readonly slot: number;
  readonly week: Week;
  readonly current: number;
}) {
  const from = clockText(slot * 30);
  const isHour = slot % 2 === 0;
  return (
    <tr className={classes(isHour && 'hour')}>
      <th scope="row">
        <span className={isHour && slot % 6 === 0 ? undefined : 'hidden'}>{from}</span>
      </th>
      {weekDays.map((day) => {
        const id = slotAt(day, slot);
        const isOpen = week.has(id);
        return (
          <td
            key={day}
            // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: one cell at a time is in the order of tabs.
            role="gridcell"
            data-slot={id}
            className={isOpen ? 'open' : undefined}
            aria-selected={isOpen}
            aria-label={`${dayNames[day]} ${from} to ${clockText(slot * 30 + 30)}`}
            tabIndex={id === current ? 0 : -1}
          />
        );
      })}
    </tr>
  );
}
