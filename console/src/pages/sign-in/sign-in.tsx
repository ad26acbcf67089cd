/** Asks for a sign-in link by mail. */
import { type FormEvent, useState } from 'react';
import { brand } from '../../api/parley.ts';
import { requestLink } from '../../api/session.ts';
import { Button } from '../../kit/button.tsx';
import { TextField } from '../../kit/field.tsx';
import { ProblemNotice } from '../../kit/problem-notice.tsx';

export function SignIn() {
  const [email, setEmail] = useState('');
  const [state, setState] = useState<'ready' | 'busy' | 'sent'>('ready');
  const [error, setError] = useState<unknown>(null);

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setState('busy');
    setError(null);
    try {
      await requestLink(email.trim());
      setState('sent');
    } catch (cause) {
      setError(cause);
      setState('ready');
    }
  };

  return (
    <main className="gate">
      <title>{`Sign in · ${brand}`}</title>
      <h1>Sign in to {brand}</h1>
      {state === 'sent' ? (
        <div role="status">
          <p>
            If <strong>{email}</strong> is a member of a workspace, a mail with a link is on its way. The link
            works once, for 15 minutes.
          </p>
          <Button onClick={() => setState('ready')}>Use another address</Button>
        </div>
      ) : (
        <form onSubmit={(event) => void submit(event)}>
          <TextField
            label="Email address"
            type="email"
            name="email"
            autoComplete="email"
            required
            value={email}
            onChange={(event) => setEmail(event.target.value)}
          />
          <ProblemNotice error={error} />
          <Button type="submit" kind="primary" isBusy={state === 'busy'}>
            Send me a link
          </Button>
        </form>
      )}
      <p className="soft">
        The first owner of a workspace gets the link from the operator:{' '}
        <code>npm run admin -- member link</code>.
      </p>
    </main>
  );
}
