/** Moves a scheduled email to another time. */
import type { FullEmail } from 'parley-client';
import { type FormEvent, useState } from 'react';
import { rescheduleEmail } from '../../api/drafts.ts';
import { useAction } from '../../api/queries.ts';
import { Button } from '../../kit/button.tsx';
import { Dialog } from '../../kit/dialog.tsx';
import { TextField } from '../../kit/field.tsx';
import { ProblemNotice } from '../../kit/problem-notice.tsx';

/** A moment for `<input type="datetime-local">`, in the zone of the reader. */
export function localInput(at: Date): string {
  const local = new Date(at.getTime() - at.getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, 16);
}

export function Reschedule({ email, onClose }: { readonly email: FullEmail; readonly onClose: () => void }) {
  const [at, setAt] = useState(localInput(new Date(email.scheduled_at ?? Date.now())));
  const move = useAction((iso: string) => rescheduleEmail(email.id, iso), {
    changed: [['threads'], ['emails']],
    done: 'The email leaves at the new time.',
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    move.mutate(new Date(at).toISOString(), { onSuccess: onClose });
  };
  return (
    <Dialog isOpen onClose={onClose} title="Change the time of sending">
      <form onSubmit={submit}>
        <TextField
          label="Send at"
          type="datetime-local"
          required
          value={at}
          onChange={(event) => setAt(event.target.value)}
        />
        <ProblemNotice error={move.error} />
        <footer>
          <Button onClick={onClose}>Keep the time</Button>
          <Button type="submit" kind="primary" isBusy={move.isPending}>
            Change
          </Button>
        </footer>
      </form>
    </Dialog>
  );
}
