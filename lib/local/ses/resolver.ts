/** The DNS look-ups that SES makes, and what their answers mean. */

/** Each rejects as `node:dns` does; `ENOTFOUND` and `ENODATA` mean that there is nothing. */
export interface Resolver {
  /** Strings of each record, not yet joined. */
  txt(name: string): Promise<readonly (readonly string[])[]>;
  mx(name: string): Promise<readonly { readonly exchange: string; readonly priority: number }[]>;
  cname(name: string): Promise<readonly string[]>;
}

/** What was found, which may be nothing, or null where DNS gave no answer. */
export async function lookUp<T>(answer: Promise<readonly T[]>): Promise<readonly T[] | null> {
  try {
    return await answer;
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    return code === 'ENOTFOUND' || code === 'ENODATA' ? [] : null;
  }
}
