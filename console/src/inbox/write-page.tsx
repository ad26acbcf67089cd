/** Writes as a new person, or one that is known, to any address. */
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import { Button } from '../kit/button.tsx';
import { Select, TextArea, TextField } from '../kit/field.tsx';
import { Page } from '../kit/page.tsx';
import { ProblemNotice } from '../kit/problem-notice.tsx';
import { control, type Delivered, personPath } from './control.ts';
import { FileDrop } from './file-drop.tsx';
import { type ChosenFile, sentFiles } from './files.ts';
import { useRunFacts } from './queries.ts';
import { styleChoices, useStyle, verdictChoices } from './reply-box.tsx';

const addressesOf = (text: string) =>
  text
    .split(/[,;\s]+/)
    .map((one) => one.trim())
    .filter(Boolean);

export function WritePage() {
  const [query] = useSearchParams();
  const { data: facts } = useRunFacts();
  const navigate = useNavigate();
  const [style, setStyle] = useStyle();
  const [draft, setDraft] = useState({
    name: '',
    from: query.get('from') ?? '',
    to: '',
    cc: '',
    subject: '',
    text: '',
    verdicts: 'pass',
  });
  const [files, setFiles] = useState<readonly ChosenFile[]>([]);
  const field = (name: keyof typeof draft) => ({
    value: draft[name],
    onChange: (event: { target: { value: string } }) =>
      setDraft((old) => ({ ...old, [name]: event.target.value })),
  });
  const suggested = facts?.providedDomain ? `support@${facts.providedDomain}` : '';
  const send = useMutation({
    mutationFn: () => {
      const { name, from, subject, text, verdicts } = draft;
      return control<Delivered>('POST', `/people/${encodeURIComponent(from.trim())}/messages`, {
        ...{ name, subject, text, verdicts, style, files: sentFiles(files) },
        ...{ to: addressesOf(draft.to || suggested), cc: addressesOf(draft.cc) },
      });
    },
    onSuccess: () => navigate(personPath(draft.from.trim().toLowerCase())),
  });
  return (
    <Page title="Write as a person" lead="The message goes to the service by SES, as mail from outside does.">
      <form
        className="write-form"
        onSubmit={(event) => {
          event.preventDefault();
          send.mutate();
        }}
      >
        <FileDrop files={files} onFiles={setFiles}>
          <div className="write-fields">
            <TextField
              label="From"
              required
              type="email"
              placeholder="maria@example.test"
              {...field('from')}
            />
            <TextField label="Name" placeholder="Maria Rossi" {...field('name')} />
            <TextField label="To" placeholder={suggested} required={suggested === ''} {...field('to')} />
            <TextField label="Cc" {...field('cc')} />
          </div>
          <TextField label="Subject" {...field('subject')} />
          <TextArea label="Text" rows={10} required {...field('text')} />
        </FileDrop>
        <ProblemNotice error={send.error} />
        <div className="reply-foot">
          <Button kind="primary" type="submit" isBusy={send.isPending}>
            Send
          </Button>
          <Select
            label="Mail program"
            choices={styleChoices}
            value={style}
            onChange={(event) => setStyle(event.target.value)}
          />
          <Select label="Checks" choices={verdictChoices} {...field('verdicts')} />
        </div>
      </form>
    </Page>
  );
}
