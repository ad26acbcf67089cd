/** Adds or changes an OAuth app. */
import type { MailboxProvider, OauthApp } from 'parley-client';
import { type FormEvent, useState } from 'react';
import { parley } from '../../api/parley.ts';
import { useAction } from '../../api/queries.ts';
import { Button } from '../../kit/button.tsx';
import { Dialog } from '../../kit/dialog.tsx';
import { Select, TextArea, TextField } from '../../kit/field.tsx';
import { ProblemNotice } from '../../kit/problem-notice.tsx';

const initialOf = (known: OauthApp | null) => ({
  provider: known?.provider ?? ('google' as MailboxProvider),
  name: known?.name ?? '',
  slug: known?.slug ?? '',
  clientId: known?.client_id ?? '',
  clientSecret: '',
  tenant: known?.tenant ?? '',
  topic: known?.pubsub_topic ?? '',
  tagline: known?.tagline ?? '',
  support: known?.support_email ?? '',
  returnUrls: known?.return_urls.join('\n') ?? '',
});
type Fields = ReturnType<typeof initialOf>;

function save(known: OauthApp | null, of: Fields): Promise<OauthApp> {
  const common = {
    name: of.name,
    client_id: of.clientId.trim(),
    tagline: of.tagline.trim() || null,
    support_email: of.support.trim() || null,
    return_urls: of.returnUrls.split(/\s+/).filter((url) => url !== ''),
    ...(of.provider === 'google'
      ? { pubsub_topic: of.topic.trim() || null }
      : { tenant: of.tenant.trim() || null }),
  };
  if (known) {
    return parley.oauthApps.update(known.id, {
      ...common,
      ...(of.clientSecret && { client_secret: of.clientSecret }),
    });
  }
  return parley.oauthApps.create({
    ...common,
    provider: of.provider,
    slug: of.slug.trim(),
    client_secret: of.clientSecret,
  });
}

export function OauthAppDialog({
  known,
  onClose,
}: {
  readonly known: OauthApp | null;
  readonly onClose: () => void;
}) {
  const [fields, setFields] = useState(initialOf(known));
  const store = useAction(() => save(known, fields), {
    changed: [['oauth-apps'], ['limits']],
    done: known ? 'The app is changed' : 'The app is added',
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    store.mutate(undefined, { onSuccess: onClose });
  };
  const bind = (name: keyof Fields) => ({
    value: fields[name],
    onChange: ({ target: { value } }: { target: { value: string } }) =>
      setFields((before) => ({ ...before, [name]: value })),
  });
  return (
    <Dialog isOpen onClose={onClose} title={known ? 'Change the app' : 'Add an OAuth app'} isWide>
      <form onSubmit={submit}>
        <div className="form-row">
          {!known && (
            <Select
              label="Provider"
              {...bind('provider')}
              choices={[
                { value: 'google', label: 'Google' },
                { value: 'microsoft', label: 'Microsoft' },
              ]}
            />
          )}
          <TextField label="Name" {...bind('name')} hint="Shown to people." required maxLength={100} />
          {!known && (
            <TextField
              label="Slug"
              {...bind('slug')}
              hint="End of its page's address."
              required
              maxLength={64}
            />
          )}
        </div>
        <TextField label="Client id" {...bind('clientId')} required maxLength={500} spellCheck={false} />
        <TextField
          label="Client secret"
          type="password"
          {...bind('clientSecret')}
          hint={known ? 'Empty: it stays as it is.' : 'Stored encrypted, and never shown.'}
          required={!known}
          maxLength={2000}
        />
        {fields.provider === 'google' ? (
          <TextField
            label="Pub/Sub topic"
            {...bind('topic')}
            hint="For push; empty: new mail is polled for."
          />
        ) : (
          <TextField label="Tenant" {...bind('tenant')} hint="The only one that may connect; empty: any." />
        )}
        <div className="form-row">
          <TextField label="Sentence on the page" {...bind('tagline')} maxLength={200} />
          <TextField label="Support address" type="email" {...bind('support')} maxLength={254} />
        </div>
        <TextArea
          label="Return URLs"
          {...bind('returnUrls')}
          hint="One in a line; the first is the default."
          rows={3}
          spellCheck={false}
        />
        <ProblemNotice error={store.error} />
        <footer>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" isBusy={store.isPending}>
            {known ? 'Save' : 'Add app'}
          </Button>
        </footer>
      </form>
    </Dialog>
  );
}
