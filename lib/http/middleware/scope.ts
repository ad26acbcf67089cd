/** Refuses callers whose scope is too narrow (docs/concepts/authentication.md). */
import { type Scope, scopeAllows } from '../../core/access/access.ts';
import { Problem } from '../../core/problems.ts';
import type { Middleware } from '../request-context.ts';
import { callerOf } from './authenticate.ts';

export function scope(needed: Scope): Middleware {
  return {
    before({ event: context }) {
      const { scope: held, role } = callerOf(context);
      if (scopeAllows(held, needed)) return;
      throw new Problem(
        'forbidden',
        role === null
          ? `This operation needs a key of scope "${needed}"; this key has scope "${held}".`
          : `This operation needs the scope "${needed}"; the role "${role}" has the scope "${held}".`,
      );
    },
  };
}
