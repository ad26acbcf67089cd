/** Makes calls of a service fail. */
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../kit/button.tsx';
import { Select, TextField } from '../kit/field.tsx';
import { ProblemNotice } from '../kit/problem-notice.tsx';
import { control } from './control.ts';

const services = ['ses', 'dynamodb', 's3', 'sqs', 'kms', 'scheduler', 'gmail', 'graph'];
const kinds = ['throttle', 'error', 'timeout-after', 'drop-before', 'kill-before', 'kill-after'];
const choices = (values: readonly string[]) => values.map((value) => ({ value, label: value }));

export function FaultForm({ onAdded }: { readonly onAdded: () => void }) {
  const [fault, setFault] = useState({ service: 'ses', action: 'SendEmail', kind: 'throttle', times: '1' });
  const add = useMutation({
    mutationFn: () => control('POST', '/faults', { ...fault, times: Number(fault.times) }),
    onSuccess: onAdded,
  });
  const field = (name: keyof typeof fault) => ({
    value: fault[name],
    onChange: (event: { target: { value: string } }) =>
      setFault((old) => ({ ...old, [name]: event.target.value })),
  });
  return (
    <form
      className="fault-form"
      onSubmit={(event) => {
        event.preventDefault();
        add.mutate();
      }}
    >
      <Select label="Service" choices={choices(services)} {...field('service')} />
      <TextField label="Call (* for any)" required {...field('action')} />
      <Select label="Fault" choices={choices(kinds)} {...field('kind')} />
      <TextField label="Times" type="number" min={1} required {...field('times')} />
      <Button type="submit" isBusy={add.isPending}>
        Inject
      </Button>
      <ProblemNotice error={add.error} />
    </form>
  );
}
