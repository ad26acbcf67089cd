/** The DNS queries of SES. */

/** DNS queries with the errors of `node:dns`; `ENOTFOUND` and `ENODATA`: no records. */
export interface Resolver {
  /** Character strings of each record. */
  txt(name: string): Promise<readonly (readonly string[])[]>;
  mx(name: string): Promise<readonly { readonly exchange: string; readonly priority: number }[]>;
}

/** The records, possibly none; null: DNS did not answer. */
export async function lookUp<T>(answer: Promise<readonly T[]>): Promise<readonly T[] | null> {
  try {
    return await answer;
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    return code === 'ENOTFOUND' || code === 'ENODATA' ? [] : null;
  }
}
