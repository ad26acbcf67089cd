/** Owns what the enclosing elements say about a position in html: quoted, signature, inside a reply container. */
import type { ElementRole } from './client-markup.ts';
import { lineFlags } from './text-document.ts';

/** A part of the message that limits a quote without an end of its own. */
interface Scope {
  /** The line after its last one; -1 while it is open. */
  end: number;
  readonly isContainer: boolean;
  /** In a container: its quote has begun, so text outside of quotes is no attribution. */
  hasQuote: boolean;
  /** Everything still to come in it is quoted. */
  isQuotedToEnd: boolean;
}

export interface ScopeTracker {
  /** Enters an element. Returns the role to pass to `leave`. */
  readonly enter: (role: ElementRole | null) => ElementRole | null;
  /** Leaves an element; `line` is the one after its last. */
  readonly leave: (role: ElementRole | null, line: number) => void;
  /** `lineFlags` of the current position. */
  readonly flags: () => number;
  /** Index of the innermost scope of the current position. */
  readonly scope: () => number;
  /** The line after the end of a scope, -1 for a scope that is still open. */
  readonly scopeEnd: (scope: number) => number;
}

export function createScopeTracker(): ScopeTracker {
  const scopes: Scope[] = [newScope(false, false)];
  const stack: number[] = [0];
  const depth = { quote: 0, quotable: 0, signature: 0 };
  let current: Scope = scopes[0] ?? newScope(false, false);

  function push(isContainer: boolean): void {
    current = newScope(isContainer, current.isQuotedToEnd);
    stack.push(scopes.push(current) - 1);
  }

  function enter(role: ElementRole | null): ElementRole | null {
    // In a reply container every blockquote belongs to the reply.
    if (role === 'quote' || (role === 'quotable' && current.isContainer)) {
      depth.quote++;
      current.hasQuote = true;
      return 'quote';
    }
    if (role === 'signature') depth.signature++;
    if (role === 'quote-start') current.isQuotedToEnd = true;
    if (role === 'quotable') depth.quotable++;
    if (role === 'quotable' || role === 'container') push(role === 'container');
    return role;
  }

  function leave(role: ElementRole | null, line: number): void {
    if (role === 'quote') depth.quote--;
    if (role === 'signature') depth.signature--;
    if (role === 'quotable') depth.quotable--;
    if (role === 'quotable' || role === 'container') {
      current.end = line;
      stack.pop();
      current = scopes[stack.at(-1) ?? 0] ?? current;
    }
  }

  function flags(): number {
    return (
      (depth.quote > 0 || current.isQuotedToEnd ? lineFlags.quoted : 0) |
      (depth.signature > 0 ? lineFlags.signature : 0) |
      (depth.quotable > 0 ? lineFlags.quotable : 0) |
      (current.isContainer && !current.hasQuote ? lineFlags.attribution : 0)
    );
  }

  return {
    enter,
    leave,
    flags,
    scope: () => stack.at(-1) ?? 0,
    scopeEnd: (index) => scopes[index]?.end ?? -1,
  };
}

function newScope(isContainer: boolean, isQuotedToEnd: boolean): Scope {
  return { end: -1, isContainer, hasQuote: false, isQuotedToEnd };
}
