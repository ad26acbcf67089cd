/** A menu of actions behind a button. */
import { Menu as Base } from '@base-ui/react/menu';
import type { ReactNode } from 'react';
import { classes } from './classes.ts';

export interface MenuAction {
  readonly label: string;
  readonly onSelect: () => void;
  readonly isDanger?: boolean;
  readonly isDisabled?: boolean;
}

export function Menu({
  label,
  actions,
  children,
}: {
  readonly label: string;
  readonly actions: readonly MenuAction[];
  /** Content of the button. */
  readonly children: ReactNode;
}) {
  return (
    <Base.Root modal={false}>
      <Base.Trigger className="button quiet icon-only" aria-label={label} title={label}>
        {children}
      </Base.Trigger>
      <Base.Portal>
        <Base.Positioner sideOffset={4} align="end">
          <Base.Popup className="menu">
            {actions.map(({ label: text, onSelect, isDanger, isDisabled }) => (
              <Base.Item
                key={text}
                className={classes('menu-item', isDanger && 'danger')}
                disabled={isDisabled}
                onClick={onSelect}
              >
                {text}
              </Base.Item>
            ))}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}
