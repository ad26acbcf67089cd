/** `/console/enter#<token>`: uses up a link at a click, so that scanners that open links do not. */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { brand } from '../../api/parley.ts';
import { enter, previewLink } from '../../api/session.ts';
import { Button } from '../../kit/button.tsx';
import { ProblemNotice } from '../../kit/problem-notice.tsx';
import { Spinner } from '../../kit/progress.tsx';

export function Enter() {
  const [token] = useState(() => location.hash.slice(1));
  const link = useQuery({
    queryKey: ['session', 'link', token],
    queryFn: () => previewLink(token),
    enabled: token !== '',
  });
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const navigate = useNavigate();
  const client = useQueryClient();

  const confirm = async () => {
    setBusy(true);
    setError(null);
    try {
      await enter(token);
      client.clear();
      await navigate('/conversations', { replace: true });
    } catch (cause) {
      setError(cause);
      setBusy(false);
    }
  };

  return (
    <main className="gate">
      <title>{`Sign in · ${brand}`}</title>
      <h1>Sign in to {brand}</h1>
      {token === '' && <p>The link is not whole. Open it from the mail again, or ask for another one.</p>}
      {token !== '' && link.isPending && <Spinner label="Reading the link" />}
      {link.data && (
        <>
          <p>
            This browser will be signed in to <strong>{link.data.workspace.name}</strong> as{' '}
            <strong>{link.data.email}</strong> ({link.data.role}), for 12 hours. Continue only if you asked
            for the link yourself.
          </p>
          <Button kind="primary" onClick={() => void confirm()} isBusy={isBusy}>
            Sign in
          </Button>
        </>
      )}
      <ProblemNotice error={error ?? link.error} />
      <p>
        <Link to="/">Ask for another link</Link>
      </p>
    </main>
  );
}
