/** The labels of a conversation: shown, added, removed. */
import type { Thread } from 'parley-client';
import { type FormEvent, useState } from 'react';
import { parley } from '../../api/parley.ts';
import { useAction } from '../../api/queries.ts';
import { useMay } from '../../api/session.ts';
import { Icon } from '../../kit/icon.tsx';
import { ProblemNotice } from '../../kit/problem-notice.tsx';

export function Labels({ thread }: { readonly thread: Thread }) {
  const mayWrite = useMay('sending');
  const [text, setText] = useState('');
  const change = useAction(
    (labels: { add?: string[]; remove?: string[] }) => parley.threads.update(thread.id, { labels }),
    { changed: [['threads']] },
  );
  const add = (event: FormEvent) => {
    event.preventDefault();
    const label = text.trim().toLowerCase();
    if (label) change.mutate({ add: [label] }, { onSuccess: () => setText('') });
  };
  return (
    <>
      {(thread.labels ?? []).map((label) => (
        <span key={label} className="badge label">
          {label}
          {mayWrite && (
            <button
              type="button"
              aria-label={`Remove the label ${label}`}
              onClick={() => change.mutate({ remove: [label] })}
            >
              <Icon name="close" />
            </button>
          )}
        </span>
      ))}
      {mayWrite && (
        <form onSubmit={add} className="add-label">
          <input
            aria-label="Add a label"
            placeholder="Add label"
            maxLength={50}
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
        </form>
      )}
      <ProblemNotice error={change.error} />
    </>
  );
}
