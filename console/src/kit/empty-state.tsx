/** A list without entries: what it will show, and the next step. */
import type { ReactNode } from 'react';
import { Command } from './copy.tsx';

export function EmptyState({
  title,
  children,
  command,
  action,
}: {
  readonly title: string;
  readonly children?: ReactNode;
  /** The next step in a terminal. */
  readonly command?: string;
  /** The next step here: a button. */
  readonly action?: ReactNode;
}) {
  return (
    <div className="empty">
      <h2>{title}</h2>
      {children && <p>{children}</p>}
      {command && <Command text={command} />}
      {action}
    </div>
  );
}
