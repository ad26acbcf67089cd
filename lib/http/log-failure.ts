/** Logs a request that ended with a 5xx. */

/** Bounds the chain of causes in a log line. */
const causesMax = 5;

/**
 * Writes one line of JSON to stderr: operation, request id, and the error with its chain of causes. Of an error only
 * name, message and stack are logged: other properties, such as an item in an SDK error, may contain mail or secrets.
 */
export function logFailure(failure: { operation: string; requestId: string; error: unknown }): void {
  console.error(
    JSON.stringify({
      level: 'error',
      message: 'request failed',
      operation: failure.operation,
      request_id: failure.requestId,
      error: describeError(failure.error, causesMax),
    }),
  );
}

interface ErrorDescription {
  readonly name: string;
  readonly message: string;
  readonly stack?: string | undefined;
  readonly cause?: ErrorDescription;
}

function describeError(error: unknown, causesLeft: number): ErrorDescription {
  if (!(error instanceof Error))
    return { name: typeof error, message: 'a thrown value that is not an Error' };
  const { name, message, stack, cause } = error;
  if (cause === undefined || causesLeft === 0) return { name, message, stack };
  return { name, message, stack, cause: describeError(cause, causesLeft - 1) };
}
