/** Links: within the console, and out of it. */
import type { ComponentProps } from 'react';
import { Link as RouterLink } from 'react-router';

export function Link(props: ComponentProps<typeof RouterLink>) {
  return <RouterLink {...props} />;
}

/** Opens a tab of its own, without a referrer. */
export function OuterLink({ children, ...props }: ComponentProps<'a'>) {
  return (
    <a {...props} target="_blank" rel="noreferrer">
      {children}
    </a>
  );
}
