/** The draft as it was first written beside what it is now. */
import type { FullEmail } from 'parley-client';
import type { OriginalDraft } from '../../api/drafts.ts';
import { MarkedText } from '../../kit/marked-text.tsx';
import { Section } from '../../kit/page.tsx';
import { type DiffPart, diffWords } from './diff.ts';

export function EditedParts({
  original,
  email,
}: {
  readonly original: OriginalDraft;
  readonly email: FullEmail;
}) {
  const pairs: readonly (readonly [string, string, string])[] = [
    ['To', original.to.join(', '), email.to.join(', ')],
    ['Copies', original.cc.join(', '), email.cc.join(', ')],
    ['Hidden copies', original.bcc.join(', '), email.bcc.join(', ')],
    ['Subject', original.subject, email.subject],
    ['Text', original.text ?? '', email.text ?? ''],
  ];
  const changed = pairs.filter(([, before, after]) => before !== after);
  if (changed.length === 0) return null;
  return (
    <Section title="What was edited">
      {original.truncated && <p className="soft">The first version is shown in part: it was longer.</p>}
      <dl className="edited">
        {changed.map(([name, before, after]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              <Diff parts={diffWords(before, after)} />
            </dd>
          </div>
        ))}
      </dl>
    </Section>
  );
}

const tagOf = { same: 'span', added: 'ins', removed: 'del' } as const;

function Diff({ parts }: { readonly parts: readonly DiffPart[] }) {
  return (
    <div className="message-text">
      {parts.map(({ kind, text }, at) => {
        const key = `${at} ${kind}`;
        const Part = tagOf[kind];
        return (
          <Part key={key} dir="auto">
            <MarkedText text={text} />
          </Part>
        );
      })}
    </div>
  );
}
