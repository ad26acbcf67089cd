/** Makes a new signing secret; the previous one signs for a while, too. */
import { type FormEvent, useState } from 'react';
import { parley } from '../../api/parley.ts';
import { useAction } from '../../api/queries.ts';
import { Button } from '../../kit/button.tsx';
import { Dialog } from '../../kit/dialog.tsx';
import { Select } from '../../kit/field.tsx';
import { ProblemNotice } from '../../kit/problem-notice.tsx';
import { SecretDialog } from '../../kit/secret-dialog.tsx';

const graces = [
  { value: '86400', label: 'for a day' },
  { value: '604800', label: 'for 7 days' },
  { value: '3600', label: 'for an hour' },
  { value: '0', label: 'not at all: it is known to others' },
];

export function RotateDialog({
  endpointId,
  isOpen,
  onClose,
}: {
  readonly endpointId: string;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}) {
  const [grace, setGrace] = useState('86400');
  const [secret, setSecret] = useState<string | null>(null);
  const rotate = useAction(
    () => parley.webhookEndpoints.rotateSecret(endpointId, { grace_seconds: Number(grace) }),
    { changed: [['webhooks']] },
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    rotate.mutate(undefined, {
      onSuccess: ({ secret: made }) => {
        onClose();
        setSecret(made);
      },
    });
  };
  return (
    <>
      <Dialog isOpen={isOpen} onClose={onClose} title="Rotate the signing secret">
        <form onSubmit={submit}>
          <p>
            Deliveries are signed with the new secret at once. Give it to your receiver, which takes both
            meanwhile.
          </p>
          <Select
            label="The previous secret still signs"
            value={grace}
            onChange={(event) => setGrace(event.target.value)}
            choices={graces}
          />
          {grace === '0' && (
            <p className="error">Your receiver refuses deliveries until it has the new secret.</p>
          )}
          <ProblemNotice error={rotate.error} />
          <footer>
            <Button onClick={onClose}>Cancel</Button>
            <Button kind="primary" type="submit" isBusy={rotate.isPending}>
              Rotate
            </Button>
          </footer>
        </form>
      </Dialog>
      <SecretDialog secret={secret} title="The new signing secret" onClose={() => setSecret(null)}>
        Your receiver checks the signature of each delivery with it.
      </SecretDialog>
    </>
  );
}
