/** What the elements around a place of html say of it: quoted, signature, in a reply's container. */
import type { ElementRole } from './html-markers.ts';
import { marks } from './lines.ts';

/** A part of the message that a quote without an end of its own does not leave. */
interface Scope {
  /** The line after its last one; -1 while it is open. */
  end: number;
  readonly isContainer: boolean;
  /** Of a container: its quote has begun, so that what is outside of quotes is no attribution any more. */
  hasQuote: boolean;
  /** All that is still to come in it is quoted. */
  isRest: boolean;
}

export interface Roles {
  /** Enters an element and returns the role to leave it with. */
  readonly enter: (role: ElementRole | null) => ElementRole | null;
  /** Leaves an element; `line` is the one after its last. */
  readonly leave: (role: ElementRole | null, line: number) => void;
  /** The marks of what stands here. */
  readonly marksHere: () => number;
  readonly scopeHere: () => number;
  /** Where a scope ends, or -1 where it never did. */
  readonly scopeEnd: (scope: number) => number;
}

export function roleTracker(): Roles {
  const scopes: Scope[] = [newScope(false, false)];
  const stack: number[] = [0];
  const depth = { quote: 0, quotable: 0, signature: 0 };
  let scope: Scope = scopes[0] ?? newScope(false, false);

  function push(isContainer: boolean): void {
    scope = newScope(isContainer, scope.isRest);
    stack.push(scopes.push(scope) - 1);
  }

  function enter(role: ElementRole | null): ElementRole | null {
    // In a reply's container every blockquote is the reply's.
    if (role === 'quote' || (role === 'quotable' && scope.isContainer)) {
      depth.quote++;
      scope.hasQuote = true;
      return 'quote';
    }
    if (role === 'signature') depth.signature++;
    if (role === 'rest') scope.isRest = true;
    if (role === 'quotable') depth.quotable++;
    if (role === 'quotable' || role === 'container') push(role === 'container');
    return role;
  }

  function leave(role: ElementRole | null, line: number): void {
    if (role === 'quote') depth.quote--;
    if (role === 'signature') depth.signature--;
    if (role === 'quotable') depth.quotable--;
    if (role === 'quotable' || role === 'container') {
      scope.end = line;
      stack.pop();
      scope = scopes[stack.at(-1) ?? 0] ?? scope;
    }
  }

  function marksHere(): number {
    const isLead = scope.isContainer && !scope.hasQuote;
    return (
      (depth.quote > 0 || scope.isRest ? marks.cited : 0) |
      (depth.signature > 0 ? marks.signed : 0) |
      (depth.quotable > 0 ? marks.quotable : 0) |
      (isLead ? marks.lead : 0)
    );
  }

  return {
    enter,
    leave,
    marksHere,
    scopeHere: () => stack.at(-1) ?? 0,
    scopeEnd: (index) => scopes[index]?.end ?? -1,
  };
}

function newScope(isContainer: boolean, isRest: boolean): Scope {
  return { end: -1, isContainer, hasQuote: false, isRest };
}
