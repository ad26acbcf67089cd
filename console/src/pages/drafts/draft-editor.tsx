/** Edits a draft. */
import type { FullEmail } from 'parley-client';
import { type FormEvent, useState } from 'react';
import { type DraftEdit, editDraft } from '../../api/drafts.ts';
import { useAction } from '../../api/queries.ts';
import { Button } from '../../kit/button.tsx';
import { TextArea, TextField } from '../../kit/field.tsx';
import { withoutHidden } from '../../kit/hidden-characters.ts';
import { HiddenNotice } from '../../kit/marked-text.tsx';
import { localInput } from '../conversations/reschedule.tsx';
import { addressesIn } from '../conversations/words.ts';
import { StaleNotice } from './stale-notice.tsx';

interface Fields {
  readonly to: string;
  readonly cc: string;
  readonly subject: string;
  readonly text: string;
  readonly at: string;
}

const fieldsOf = (email: FullEmail): Fields => ({
  to: email.to.join(', '),
  cc: email.cc.join(', '),
  subject: email.subject,
  text: email.text ?? '',
  at: email.scheduled_at ? localInput(new Date(email.scheduled_at)) : '',
});

/** Only what was changed, so that an edited text does not lose the html of a draft whose subject was edited. */
function changesOf(before: Fields, after: Fields): DraftEdit {
  return {
    ...(after.to !== before.to && { to: addressesIn(after.to) }),
    ...(after.cc !== before.cc && { cc: addressesIn(after.cc) }),
    ...(after.subject !== before.subject && { subject: after.subject }),
    ...(after.text !== before.text && { text: after.text }),
    ...(after.at !== before.at && { scheduled_at: after.at ? new Date(after.at).toISOString() : null }),
  };
}

export function DraftEditor({
  email,
  version,
  reload,
  onClose,
}: {
  readonly email: FullEmail;
  readonly version: number;
  readonly reload: () => void;
  readonly onClose: () => void;
}) {
  const [before] = useState(() => fieldsOf(email));
  const [fields, setFields] = useState(before);
  const save = useAction((edit: DraftEdit) => editDraft(email.id, { ...edit, version }), {
    changed: [['drafts'], ['threads'], ['emails']],
    done: 'Saved as a new version.',
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const edit = changesOf(before, fields);
    if (Object.keys(edit).length === 0) onClose();
    else save.mutate(edit, { onSuccess: onClose });
  };
  const bind = (name: keyof Fields) => ({
    value: fields[name],
    onChange: (event: { target: { value: string } }) => setFields({ ...fields, [name]: event.target.value }),
  });
  return (
    <form className="composer" onSubmit={submit}>
      <TextField label="To" required {...bind('to')} />
      <TextField label="Copies to" {...bind('cc')} />
      <TextField label="Subject" {...bind('subject')} />
      <TextArea
        label="Text"
        rows={14}
        hint={email.html === null ? undefined : 'A new text replaces the designed version, too.'}
        {...bind('text')}
      />
      <HiddenNotice text={fields.text}>
        <Button small onClick={() => setFields({ ...fields, text: withoutHidden(fields.text) })}>
          Remove
        </Button>
      </HiddenNotice>
      <TextField label="Send at" type="datetime-local" hint="Empty: once it is approved." {...bind('at')} />
      <StaleNotice
        error={save.error}
        reload={() => {
          reload();
          onClose();
        }}
      />
      <div className="actions">
        <Button type="submit" kind="primary" isBusy={save.isPending}>
          Save
        </Button>
        <Button onClick={onClose}>Close without saving</Button>
      </div>
    </form>
  );
}
