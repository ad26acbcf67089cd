/** Threads as the API shows them, and what is asked of them. */
import type { AnyBody, ApiResponse } from '../../test/support/api.ts';
import type { Stage } from './stage.ts';

export interface Message extends AnyBody {
  readonly direction: string;
  readonly category: string | null;
  readonly subject: string;
  readonly from: { readonly name: string | null; readonly address: string };
  readonly to: readonly string[];
  readonly cc: readonly string[];
  readonly text: string | null;
  readonly html: string | null;
  readonly hidden_text: string | null;
  readonly signals: readonly { readonly code: string }[];
  readonly verdicts: Readonly<Record<string, string | null>>;
  readonly attachments: readonly {
    readonly filename: string;
    readonly preparation: { readonly text: string | null } | null;
  }[];
}

export interface Thread extends AnyBody {
  readonly messages: readonly Message[];
  readonly message_count: number;
}

/** Whether an address was in a thread before its newest message. */
export function tookPart({ messages }: Thread, address: string): boolean {
  return messages
    .slice(0, -1)
    .some(({ from, to, cc }) => [from.address, ...to, ...(cc ?? [])].some((one) => isSame(one, address)));
}

export const isSame = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();

export function noteAnswer({ notes }: Stage, what: string, { status, body }: ApiResponse): void {
  notes.push(
    status >= 400 ? `${what} refused: ${body?.code ?? status}` : `${what}: ${body?.status ?? status}`,
  );
}
