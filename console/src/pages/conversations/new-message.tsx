/** Begins a conversation. */
import { type FormEvent, useState } from 'react';
import { useNavigate } from 'react-router';
import { parley } from '../../api/parley.ts';
import { useAction, useApi } from '../../api/queries.ts';
import { Button } from '../../kit/button.tsx';
import { TextArea, TextField } from '../../kit/field.tsx';
import { Link } from '../../kit/link.tsx';
import { Page } from '../../kit/page.tsx';
import { ProblemNotice } from '../../kit/problem-notice.tsx';
import { ChosenFiles, DropZone, filesFit } from './chosen-files.tsx';
import { sentWords } from './composer.tsx';
import { type Sending, SendOptions, sendingAtFirst, sendingFields } from './send-options.tsx';
import { addressesIn } from './words.ts';

export function NewMessage() {
  const [fields, setFields] = useState({ from: '', to: '', cc: '', subject: '', text: '' });
  const [files, setFiles] = useState<readonly File[]>([]);
  const [sending, setSending] = useState<Sending>(sendingAtFirst);
  const navigate = useNavigate();
  const domains = useApi(['domains', 'names'], () => parley.domains.list({ limit: 20 }));
  const senders = (domains.data?.items ?? []).filter(
    ({ verified_at, name }) => verified_at && !name.startsWith('*'),
  );
  const send = useAction(
    (asDraft: boolean) =>
      parley.emails.send({
        from: fields.from,
        to: addressesIn(fields.to),
        subject: fields.subject,
        text: fields.text,
        ...(fields.cc && { cc: addressesIn(fields.cc) }),
        ...sendingFields(sending),
        ...(asDraft && { draft: true }),
        ...(files.length > 0 && { attachments: files }),
      }),
    {
      changed: [['threads'], ['emails'], ['drafts']],
      done: ({ status }) => sentWords[status] ?? 'On its way.',
    },
  );
  const submit = (event: FormEvent, asDraft: boolean) => {
    event.preventDefault();
    send.mutate(asDraft, { onSuccess: ({ thread_id }) => void navigate(`/conversations/${thread_id}`) });
  };
  const bind = (name: keyof typeof fields) => ({
    value: fields[name],
    onChange: (event: { target: { value: string } }) => setFields({ ...fields, [name]: event.target.value }),
  });
  return (
    <Page title="New message" back={<Link to="/conversations">Conversations</Link>}>
      <DropZone onFiles={(more) => setFiles([...files, ...more])}>
        <form className="composer" onSubmit={(event) => submit(event, false)}>
          <TextField
            label="From"
            required
            list="senders"
            placeholder="Support <support@acme.dev>"
            hint="An address of a verified domain or a connected mailbox."
            {...bind('from')}
          />
          <datalist id="senders">
            {senders.map(({ id, name }) => (
              <option key={id} value={`support@${name}`} />
            ))}
          </datalist>
          <TextField label="To" required placeholder="anna@example.com, ben@example.com" {...bind('to')} />
          <TextField label="Copies to" {...bind('cc')} />
          <TextField label="Subject" {...bind('subject')} />
          <TextArea label="Message" rows={12} required {...bind('text')} />
          <ChosenFiles files={files} onChange={setFiles} />
          <SendOptions sending={sending} onChange={setSending} />
          <ProblemNotice error={send.error} />
          <div className="actions">
            <Button type="submit" kind="primary" isBusy={send.isPending} disabled={!filesFit(files)}>
              {sending.at ? 'Schedule' : 'Send'}
            </Button>
            <Button
              disabled={send.isPending || !filesFit(files)}
              onClick={(event) => event.currentTarget.form?.reportValidity() && submit(event, true)}
            >
              Save as draft
            </Button>
          </div>
        </form>
      </DropZone>
    </Page>
  );
}
