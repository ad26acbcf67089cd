/** A refused change of a draft, with the way to the newer version. */
import { ParleyError } from 'parley-client';
import { Button } from '../../kit/button.tsx';
import { ProblemNotice } from '../../kit/problem-notice.tsx';

/** Somebody else edited the draft meanwhile: nothing was sent. */
export function StaleNotice({ error, reload }: { readonly error: unknown; readonly reload: () => void }) {
  const isStale = error instanceof ParleyError && error.code === 'draft_changed';
  return (
    <ProblemNotice
      error={error}
      action={
        isStale && (
          <Button small onClick={reload}>
            Show the newer version
          </Button>
        )
      }
    />
  );
}
