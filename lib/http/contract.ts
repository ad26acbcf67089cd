/** An operation of the API as data: everything else about it is derived from this. */
import type * as z from 'zod';
import type { BudgetClass, Grant, Scope } from '../core/access.ts';
import type { ProblemCode } from '../core/problems.ts';

export type Method = 'GET' | 'HEAD' | 'POST' | 'PATCH' | 'DELETE';

/** One way an operation succeeds. `body` null: the answer has no body. */
export interface ResponseSpec {
  readonly description: string;
  readonly body: z.ZodType | null;
  /** Response headers of this answer, name to description. */
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Contract<
  Params extends z.ZodObject = z.ZodObject,
  Query extends z.ZodObject = z.ZodObject,
  Body extends z.ZodType | null = z.ZodType | null,
  Answers extends Readonly<Record<number, ResponseSpec>> = Readonly<Record<number, ResponseSpec>>,
> {
  /** `<group>.<verb>`, which is also the file: `functions/<group>/<verb>.ts`. */
  readonly id: string;
  readonly method: Method;
  /** As in the interface, version prefix included: `/api/v2/spaces/{space_id}`. */
  readonly path: `/api/${string}`;
  readonly summary: string;
  /** What the interface leaves open and we decided; goes into the OpenAPI document. */
  readonly description?: string;
  readonly scope: Scope;
  /** Request-budget class; `query` instead where the request carries a `query` parameter. */
  readonly budget: BudgetClass | 'read, or query with a search term';
  /** Beyond `table:get` of the caller's key, which every operation has. */
  readonly access: readonly Grant[];
  readonly params: Params;
  readonly query: Query;
  /** Request headers of this operation, name to description; the handler reads them. */
  readonly requestHeaders?: Readonly<Record<string, string>>;
  /** null: the operation takes no body. */
  readonly body: Body;
  readonly answers: Answers;
  /** Codes beyond those that every operation can answer with. */
  readonly problems: readonly ProblemCode[];
  readonly timeoutSeconds?: number;
  readonly memoryMb?: number;
}

/** Keeps the literal types of a contract, so that its handler is typed by it. */
export function operation<
  const Params extends z.ZodObject,
  const Query extends z.ZodObject,
  const Body extends z.ZodType | null,
  const Answers extends Readonly<Record<number, ResponseSpec>>,
>(contract: Contract<Params, Query, Body, Answers>): Contract<Params, Query, Body, Answers> {
  return contract;
}

/** File and handler name of an operation or worker in the bundle: `spaces.create` is `spaces-create`. */
export function functionName(id: string): string {
  return id.replace('.', '-');
}
