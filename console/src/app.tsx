/** The console: the sign-in, then the shell. */
import { useLocation } from 'react-router';
import { LiveProvider } from './api/live.tsx';
import { useSessionQuery } from './api/session.ts';
import { ProblemNotice } from './kit/problem-notice.tsx';
import { Spinner } from './kit/progress.tsx';
import { Shell } from './layout/shell.tsx';
import { Enter } from './pages/sign-in/enter.tsx';
import { SignIn } from './pages/sign-in/sign-in.tsx';

export function App() {
  const { pathname, hash } = useLocation();
  const session = useSessionQuery();
  // A link of another workspace may be used while signed in.
  if (pathname === '/enter' && (hash || session.data === null)) return <Enter />;
  if (session.isPending) {
    return (
      <main className="gate">
        <Spinner label="Loading" />
      </main>
    );
  }
  if (session.error) {
    return (
      <main className="gate">
        <ProblemNotice error={session.error} />
      </main>
    );
  }
  if (!session.data) return <SignIn />;
  return (
    <LiveProvider key={session.data.workspace.id}>
      <Shell />
    </LiveProvider>
  );
}
