/** What happened, in order. */
import type { ReactNode } from 'react';
import type { Tone } from './badge.tsx';
import { Time } from './time.tsx';

export interface TimelineEntry {
  readonly id: string;
  readonly at: string;
  readonly title: ReactNode;
  readonly detail?: ReactNode;
  readonly tone?: Tone;
}

export function Timeline({
  label,
  entries,
}: {
  readonly label: string;
  readonly entries: readonly TimelineEntry[];
}) {
  return (
    <ol className="timeline" aria-label={label}>
      {entries.map(({ id, at, title, detail, tone = 'neutral' }) => (
        <li key={id} className={tone}>
          <div>
            <strong>{title}</strong> <Time at={at} />
          </div>
          {detail && <div className="timeline-detail">{detail}</div>}
        </li>
      ))}
    </ol>
  );
}
