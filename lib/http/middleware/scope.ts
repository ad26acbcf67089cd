/** Refuses keys whose scope is too narrow (interface, "Authentication"). */
import { type Scope, scopeAllows } from '../../domain/access.ts';
import { Problem } from '../../domain/problems.ts';
import type { Layer } from '../exchange.ts';
import { callerOf } from './authenticate.ts';

export function scope(needed: Scope): Layer {
  return {
    before({ event: exchange }) {
      const { scope: held } = callerOf(exchange);
      if (scopeAllows(held, needed)) return;
      throw new Problem(
        'forbidden',
        `This operation needs a key of scope "${needed}"; this one has "${held}".`,
      );
    },
  };
}
