/** The codes and places of signals, and what a signal is (docs/concepts/signals.md). Apart: lists load no more. */

export const signalCodes = [
  'hidden_text',
  'invisible_characters',
  'lookalike_domain',
  'display_name_mismatch',
  'reply_to_elsewhere',
  'link_text_mismatch',
  'first_contact',
  'instruction_like_text',
] as const;
export type SignalCode = (typeof signalCodes)[number];

export const signalPlaces = ['from', 'reply_to', 'subject', 'text', 'html', 'hidden_text'] as const;
export type SignalPlace = (typeof signalPlaces)[number];

export interface Signal {
  readonly code: SignalCode;
  /** A sentence, at most 300 characters. It may quote the message: a stranger wrote that part. */
  readonly detail: string;
  readonly place: SignalPlace;
}
