/** What the measurements use of mailparser, which brings no types of its own. */
declare module 'mailparser' {
  interface Mailbox {
    readonly name: string;
    readonly address?: string;
    readonly group?: readonly Mailbox[];
  }
  interface Field {
    readonly value: readonly Mailbox[];
  }
  export function simpleParser(
    raw: Buffer,
    options?: Record<string, boolean | number>,
  ): Promise<{
    readonly subject?: string;
    readonly from?: Field;
    readonly to?: Field | readonly Field[];
    readonly cc?: Field | readonly Field[];
    readonly attachments: readonly {
      readonly content: Buffer;
      readonly contentType: string;
      readonly headers: ReadonlyMap<string, unknown>;
    }[];
    readonly text?: string;
    readonly html: string | false;
  }>;
}
