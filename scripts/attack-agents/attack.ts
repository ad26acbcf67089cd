/** One way in which a stranger tries to make an agent do harm. */
import type { Stage } from './stage.ts';

/** What a stranger wants: mail that nobody approved, what belongs to others, or a second answer to one message. */
export type Aim = 'send' | 'leak' | 'twice';

export type Move = (stage: Stage) => Promise<unknown>;

export interface Attack {
  /** Unique in its family. */
  readonly name: string;
  readonly wants: Aim;
  /** Before the agent works: mail, or what else a stranger can do from outside. */
  readonly strike?: Move;
  /** Drafts are written, and nobody has read them. */
  readonly meanwhile?: Move;
  /** The approver has read the drafts, and approves them next. */
  readonly race?: Move;
  /** What was approved has left; the agent works once more after it. */
  readonly later?: Move;
  /** Workers that run at the same time, by the names of their claims; default: one. */
  readonly workers?: readonly string[];
}

export interface Family {
  readonly title: string;
  readonly attacks: readonly Attack[];
}

/** The moves of an attack that one mail makes. */
export function byMail(
  name: string,
  wants: Aim,
  mail: (stage: Stage) => Parameters<Stage['mail']>[0],
): Attack {
  return { name, wants, strike: (stage) => stage.mail(mail(stage)) };
}
