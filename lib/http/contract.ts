/** An operation of the API as data; routes, IAM roles, request parsing and the OpenAPI document derive from it. */
import type * as z from 'zod';
import type { BudgetClass, Grant, Scope } from '../core/access/access.ts';
import type { ProblemCode } from '../core/problems.ts';
import { withOwnLengths } from './length-checks.ts';

export type Method = 'GET' | 'HEAD' | 'POST' | 'PATCH' | 'DELETE';

/** A successful response. `body` null: the response has no body. */
export interface ResponseSpec {
  readonly description: string;
  readonly body: z.ZodType | null;
  /** Response headers beyond those of every response: name to description. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The same of headers that only some of the responses have. */
  readonly optionalHeaders?: Readonly<Record<string, string>>;
}

/** A request header; lengths are in characters. */
export interface RequestHeader {
  readonly description: string;
  readonly minLength?: number;
  readonly maxLength: number;
}

export interface Contract<
  Params extends z.ZodObject = z.ZodObject,
  Query extends z.ZodObject = z.ZodObject,
  Body extends z.ZodType | null = z.ZodType | null,
  Responses extends Readonly<Record<number, ResponseSpec>> = Readonly<Record<number, ResponseSpec>>,
> {
  /** `<group>.<verb>`, of version 1 `v1.<group>.<verb>`; the handler is `functions/<group>/<verb>.ts`, `functions/v1/…`. */
  readonly id: string;
  /** The name in the OpenAPI document, where that of `operationName` is not natural. */
  readonly operationId?: string;
  readonly method: Method;
  /** With the version prefix and path parameters in braces: `/api/v2/spaces/{space_id}`. */
  readonly path: `/api/${string}`;
  readonly summary: string;
  readonly description?: string;
  readonly scope: Scope;
  /** Request-budget class. With the second form, a request that has a `query` parameter is of class `query`. */
  readonly budget: BudgetClass | 'read, or query with a search term';
  /** IAM grants beyond `table:get`, which every operation needs to authenticate. */
  readonly access: readonly Grant[];
  readonly params: Params;
  readonly query: Query;
  /** Request headers that the handler reads, by name. */
  readonly requestHeaders?: Readonly<Record<string, RequestHeader>>;
  /** null: the operation takes no body. */
  readonly body: Body;
  /** By status. */
  readonly responses: Responses;
  /** Problem codes beyond those that `codesOf` derives (`lib/http/operation-codes.ts`). */
  readonly problems: readonly ProblemCode[];
  readonly timeoutSeconds?: number;
  readonly memoryMb?: number;
}

/**
 * Returns the contract, the body of which then checks the lengths of strings and arrays only; the type parameters keep its literal
 * types for the handler.
 */
export function operation<
  const Params extends z.ZodObject,
  const Query extends z.ZodObject,
  const Body extends z.ZodType | null,
  const Responses extends Readonly<Record<number, ResponseSpec>>,
>(contract: Contract<Params, Query, Body, Responses>): Contract<Params, Query, Body, Responses> {
  withOwnLengths(contract.body);
  return contract;
}

/** The name of a function in the bundle: `spaces.create` becomes `spaces-create`. */
export function functionName(id: string): string {
  return id.replaceAll('.', '-');
}
