/** Refuses keys whose scope is too narrow (docs/concepts/authentication.md). */
import { type Scope, scopeAllows } from '../../core/access/access.ts';
import { Problem } from '../../core/problems.ts';
import type { Middleware } from '../request-context.ts';
import { callerOf } from './authenticate.ts';

export function scope(needed: Scope): Middleware {
  return {
    before({ event: context }) {
      const { scope: held } = callerOf(context);
      if (scopeAllows(held, needed)) return;
      throw new Problem(
        'forbidden',
        `This operation needs a key of scope "${needed}"; this key has scope "${held}".`,
      );
    },
  };
}
