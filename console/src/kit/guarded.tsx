/** What the role of the person does not allow is disabled, with the reason. */
import type { ComponentProps } from 'react';
import { type Scope, useMay, useSession } from '../api/session.ts';
import { Button } from './button.tsx';

const allowedRoles: Readonly<Record<Scope, string>> = {
  full: 'Owners and admins',
  sending: 'Owners, admins and members',
  read: 'All members',
};

/** The sentence that says why; null: the person may do it. */
export function useRefusal(scope: Scope): string | null {
  const { role } = useSession();
  return useMay(scope) ? null : `${allowedRoles[scope]} can do this; your role is ${role}.`;
}

/** A button for what needs a scope. It stays reachable by keyboard, so that the reason is heard. */
export function GuardedButton({
  needs = 'full',
  onClick,
  ...props
}: ComponentProps<typeof Button> & { readonly needs?: Scope }) {
  const refusal = useRefusal(needs);
  if (!refusal) return <Button {...props} onClick={onClick} />;
  return <Button {...props} type="button" aria-disabled="true" aria-description={refusal} title={refusal} />;
}

/** One line below the title of a page that the person can only look at, or not even that. */
export function ReadOnlyNote({ isHidden = false }: { readonly isHidden?: boolean }) {
  const { role } = useSession();
  if (useMay('full')) return null;
  const text = isHidden ? 'see this page' : 'change something here';
  return (
    <p className="read-only">
      {allowedRoles.full} can {text}; your role is {role}.
    </p>
  );
}
