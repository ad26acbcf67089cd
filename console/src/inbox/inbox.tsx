/** The local inbox. */
import { brand } from '../api/parley.ts';
import { Page } from '../kit/page.tsx';

export function Inbox() {
  return (
    <main>
      <Page title="Inbox">
        <p>
          {brand} runs on this machine. <a href="/console">Open the console</a>, or{' '}
          <a href="/docs">read the documentation</a>.
        </p>
      </Page>
    </main>
  );
}
