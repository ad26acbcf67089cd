/** Adds addresses to a suppression list, also many pasted at once. */
import type { SuppressionScope } from 'parley-client';
import { type FormEvent, useState } from 'react';
import { parley } from '../../api/parley.ts';
import { useAction } from '../../api/queries.ts';
import { Button } from '../../kit/button.tsx';
import { Dialog } from '../../kit/dialog.tsx';
import { Select, TextArea, TextField } from '../../kit/field.tsx';
import { ProblemNotice } from '../../kit/problem-notice.tsx';

const addressesMax = 1_000;

const addressesIn = (text: string): readonly string[] => [
  ...new Set(text.split(/[\s,;]+/).filter((part) => part !== '')),
];

export function AddSuppressions({
  isOpen,
  onClose,
}: {
  readonly isOpen: boolean;
  readonly onClose: () => void;
}) {
  const [text, setText] = useState('');
  const [note, setNote] = useState('');
  const [key, setKey] = useState('*');
  const [scope, setScope] = useState<SuppressionScope>('all');
  const addresses = addressesIn(text);
  const add = useAction(
    () => parley.suppressions.create({ addresses, scope, key: key.trim() || '*', note: note.trim() || null }),
    {
      changed: [['suppressions'], ['limits']],
      done: ({ data }) =>
        `${data.length.toLocaleString()} ${data.length === 1 ? 'address is' : 'addresses are'} left out`,
    },
  );
  const close = () => {
    add.reset();
    onClose();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    add.mutate(undefined, {
      onSuccess: () => {
        setText('');
        close();
      },
    });
  };
  const tooMany = addresses.length > addressesMax;
  return (
    <Dialog isOpen={isOpen} onClose={close} title="Leave addresses out">
      <form onSubmit={submit}>
        <TextArea
          label="Addresses"
          value={text}
          onChange={(event) => setText(event.target.value)}
          placeholder={'anna@example.com\nben@example.com'}
          hint={`One in a line, or separated by commas: ${addresses.length.toLocaleString()} of at most 1,000.`}
          error={tooMany ? 'Too many: add them in several goes.' : null}
          spellCheck={false}
          required
        />
        <Select
          label="Which mail"
          value={scope}
          onChange={(event) => setScope(event.target.value === 'optional' ? 'optional' : 'all')}
          choices={[
            { value: 'all', label: 'All mail' },
            { value: 'optional', label: 'Only mail with an unsubscribe link' },
          ]}
        />
        <TextField
          label="List"
          value={key}
          onChange={(event) => setKey(event.target.value)}
          hint="* is checked for every send, another name for sends with this suppression_key."
          maxLength={256}
        />
        <TextField
          label="Note"
          value={note}
          onChange={(event) => setNote(event.target.value)}
          maxLength={1000}
        />
        <ProblemNotice error={add.error} />
        <footer>
          <Button onClick={close}>Cancel</Button>
          <Button
            kind="primary"
            type="submit"
            isBusy={add.isPending}
            disabled={addresses.length === 0 || tooMany}
          >
            Leave out
          </Button>
        </footer>
      </form>
    </Dialog>
  );
}
