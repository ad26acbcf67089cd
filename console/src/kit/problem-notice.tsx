/** A failed request: the sentence of its problem, its issues and its request id. */
import { ParleyError } from 'parley-client';
import type { ReactNode } from 'react';
import { CopyValue } from './copy.tsx';

/** Shows nothing without an error. */
export function ProblemNotice({ error, action }: { readonly error: unknown; readonly action?: ReactNode }) {
  if (!error) return null;
  const facts = error instanceof ParleyError ? error : null;
  return (
    <div className="problem" role="alert">
      <p>{facts?.detail ?? 'Something in this page failed. Reload it, and tell us if it fails again.'}</p>
      {facts && facts.issues.length > 0 && (
        <ul>
          {facts.issues.map(({ path, message }) => (
            <li key={`${path} ${message}`}>
              <code>{path}</code> {message}
            </li>
          ))}
        </ul>
      )}
      {facts?.requestId && (
        <p className="soft">
          Request <CopyValue text={facts.requestId} what="the request id" />
        </p>
      )}
      {action}
    </div>
  );
}
