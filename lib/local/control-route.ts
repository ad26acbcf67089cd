/** What a control route is: its call, its errors. */
import * as z from 'zod';

/** An error of the caller: HTTP status and a message for a person. */
export class ControlError extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** A response that is not JSON. */
export class ControlResponse {
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;

  constructor(body: Buffer, headers: Readonly<Record<string, string>>, statusCode = 200) {
    this.statusCode = statusCode;
    this.headers = { 'x-content-type-options': 'nosniff', 'cache-control': 'no-store', ...headers };
    this.body = body;
  }
}

export interface ControlCall {
  /** Path parameters. */
  readonly parameters: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** By name in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly rawBody: Buffer;
  /** The request body. @throws ControlError 400 without JSON, 422 where the schema does not match */
  body<S extends z.ZodType>(schema: S): z.output<S>;
}

export interface ControlRoute {
  /** One line for the list that `GET /_control` returns. */
  readonly summary: string;
  /** A string is sent as text, undefined as 204, a ControlResponse as it is, anything else as JSON. @throws ControlError */
  readonly handle: (call: ControlCall) => unknown;
}

/** @throws ControlError */
export function fail(status: number, message: string): never {
  throw new ControlError(status, message);
}

const daysAheadMax = 400;
/** How far one move of the clock goes: what is longer ends at no `Date`, or takes hours. */
export const secondsAhead = z
  .number()
  .min(0)
  .max(daysAheadMax * 86_400);

/** By method and path (`POST /dns`). */
export type ControlRoutes = Readonly<Record<string, ControlRoute>>;

/** Drops undefined fields: zod types optional fields as `T | undefined`, which exactOptionalPropertyTypes rejects. */
export function withoutUndefined<T extends object>(value: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(value).filter(([, item]) => item !== undefined)) as {
    [K in keyof T]: Exclude<T[K], undefined>;
  };
}
