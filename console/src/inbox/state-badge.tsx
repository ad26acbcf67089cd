/** What became of a message on its way to a person. */
import { Badge, type Tone } from '../kit/badge.tsx';
import type { MailState } from './control.ts';

const tones: Readonly<Record<MailState, Tone>> = {
  sent: 'neutral',
  delivered: 'good',
  delayed: 'warn',
  bounced: 'bad',
  complained: 'bad',
  rejected: 'bad',
};

export function StateBadge({ state }: { readonly state: MailState }) {
  return <Badge tone={tones[state]}>{state}</Badge>;
}
