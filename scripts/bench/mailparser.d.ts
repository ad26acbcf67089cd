/** What the bench uses of mailparser, which brings no types of its own. */
declare module 'mailparser' {
  export function simpleParser(
    raw: Buffer,
    options?: Record<string, boolean>,
  ): Promise<{ readonly attachments: readonly { readonly content: Buffer }[] }>;
}
