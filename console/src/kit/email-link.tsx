/** Opens the conversation of an email of which only the id is known. */
import type { ReactNode } from 'react';
import { useNavigate } from 'react-router';
import { parley } from '../api/parley.ts';
import { useAction } from '../api/queries.ts';
import { Button } from './button.tsx';
import { showToast } from './toast.tsx';

export function EmailLink({ emailId, children }: { readonly emailId: string; readonly children: ReactNode }) {
  const navigate = useNavigate();
  const open = useAction(() => parley.emails.retrieve(emailId), {});
  return (
    <Button
      kind="quiet"
      small
      isBusy={open.isPending}
      onClick={() =>
        open.mutate(undefined, {
          onSuccess: ({ thread_id: thread }) => navigate(`/conversations/${thread}`),
          onError: () => showToast('The email is not there any longer.'),
        })
      }
    >
      {children}
    </Button>
  );
}
