/** Errors as each version of the API shows them. */
import { type ProblemCode, problemStatus } from '../../lib/core/problems.ts';
import { v1ErrorCodeOf, v1ErrorStatus } from '../../lib/http/v1-error.ts';
import { versionOf } from '../../lib/http/versions.ts';

/** Status and code of a problem at a path. */
export function errorAt(path: string, code: ProblemCode): { status: number; code: string } {
  if (versionOf(path) === 2) return { status: problemStatus[code], code };
  const v1Code = v1ErrorCodeOf(code);
  return { status: v1ErrorStatus[v1Code], code: v1Code };
}
