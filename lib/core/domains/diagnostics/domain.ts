/** The domain that is diagnosed. */
import type { ExpectedRecord } from '../records.ts';

export interface DiagnosedDomain {
  /** Without a wildcard's `*.`. */
  readonly name: string;
  readonly wildcard: boolean;
  readonly records: readonly ExpectedRecord[];
  /** Names below the wildcard that the workspace uses. */
  readonly subdomains: readonly string[];
}
