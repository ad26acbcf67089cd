/** What the measurements use of mailparser, which brings no types of its own. */
declare module 'mailparser' {
  export function simpleParser(
    raw: Buffer,
    options?: Record<string, boolean | number>,
  ): Promise<{
    readonly attachments: readonly {
      readonly content: Buffer;
      readonly contentType: string;
      readonly headers: ReadonlyMap<string, unknown>;
    }[];
    readonly text?: string;
    readonly html: string | false;
  }>;
}
