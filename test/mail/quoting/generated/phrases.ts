/** Owns the shape of the phrases that generated replies are composed of. */
import type { Language } from '../../../../lib/mail/quoting/languages.ts';

/** A client's name and what it writes. `{name}` and `{address}` stand for the quoted sender. */
export type ClientText = readonly [client: string, text: string];

/** The parts of messages in one language. Every list alternates between the development and the held-out set. */
export interface ReplyPhrases {
  readonly language: Language;
  readonly title: string;
  /** Names of authors, one per set. */
  readonly authors: readonly [string, string];
  /** Names of quoted senders, one per set. */
  readonly senders: readonly [string, string];
  readonly greetings: readonly string[];
  /** What authors write; paragraphs are separated by blank lines. */
  readonly bodies: readonly string[];
  /** Closings that a name follows. */
  readonly closings: readonly string[];
  /** Lines of a signature below the name. */
  readonly contacts: readonly string[];
  /** Footers of mail apps. */
  readonly footers: readonly string[];
  readonly quotes: readonly string[];
  /** Headers of replies that end in a line such as "… wrote:". */
  readonly attributions: readonly ClientText[];
  /** Headers of replies as blocks of labels, with dividers where clients write them. */
  readonly headers: readonly ClientText[];
  /** Headers of forwarded messages. */
  readonly forwards: readonly ClientText[];
}
