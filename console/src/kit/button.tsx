/** Buttons, and links that look like them. */
import type { ComponentProps, ReactNode } from 'react';
import { Link as RouterLink } from 'react-router';
import { classes } from './classes.ts';
import { Spinner } from './progress.tsx';

export type ButtonKind = 'primary' | 'plain' | 'quiet' | 'danger';

interface Look {
  readonly kind?: ButtonKind;
  readonly small?: boolean;
}

const look = ({ kind = 'plain', small }: Look, more?: string) =>
  classes('button', kind, small && 'small', more);

/** `isBusy` shows progress, and takes no second click. */
export function Button({
  kind,
  small,
  isBusy = false,
  className,
  children,
  ...props
}: ComponentProps<'button'> & Look & { readonly isBusy?: boolean }) {
  return (
    <button
      type="button"
      {...props}
      className={look({ kind, small }, className)}
      disabled={props.disabled || isBusy}
      aria-busy={isBusy || undefined}
    >
      {isBusy && <Spinner />}
      {children}
    </button>
  );
}

export function ButtonLink({ kind, small, className, ...props }: ComponentProps<typeof RouterLink> & Look) {
  return <RouterLink {...props} className={look({ kind, small }, className)} />;
}

/** A button that shows an icon only. */
export function IconButton({
  label,
  children,
  ...props
}: Omit<ComponentProps<typeof Button>, 'aria-label'> & {
  readonly label: string;
  readonly children: ReactNode;
}) {
  return (
    <Button
      kind="quiet"
      {...props}
      className={classes('icon-only', props.className)}
      aria-label={label}
      title={label}
    >
      {children}
    </Button>
  );
}
