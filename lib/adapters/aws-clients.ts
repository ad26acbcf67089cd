/** What all AWS clients share: timeouts and attempts, without which a hung socket costs the whole function, and where AWS is. */

/** Services of one region answer within tens of milliseconds; a request that takes longer is retried. */
const awsTimeouts = { connectMs: 1000, requestMs: 2000 };
/** Emulated services share the processors with their callers, and take seconds on a busy machine. */
const emulatedTimeouts = { connectMs: 20_000, requestMs: 20_000 };

/** Those of the AWS that this process calls. */
export const timeouts = (): Readonly<typeof awsTimeouts> =>
  process.env.AWS_ENDPOINT_URL === undefined ? awsTimeouts : emulatedTimeouts;

export interface ClientOptions {
  /** Until the response headers are received, per attempt. */
  readonly requestMs?: number;
  /** 1 where a repeated request is not safe; default: the SDK's, which retries throttling, server errors and timeouts. */
  readonly maxAttempts?: number;
}

/** Options of clients that manage SES: these calls are slow, and limited to one a second ("Service quotas in Amazon SES"). */
export const sesManagement: ClientOptions = { requestMs: 10_000, maxAttempts: 8 };

/**
 * Configuration of an SDK client. Timeouts throw `TimeoutError`, which the SDK retries.
 *
 * A retried request may have been carried out. That is safe for conditional and transactional writes of the table (the
 * SDK sends a client request token), for messages (every consumer is idempotent), for named schedules and for KMS.
 */
export function clientConfig({ requestMs = timeouts().requestMs, maxAttempts }: ClientOptions = {}) {
  return {
    requestHandler: {
      connectionTimeout: timeouts().connectMs,
      requestTimeout: requestMs,
      throwOnRequestTimeout: true,
      // A response whose body stops arriving.
      socketTimeout: requestMs,
    },
    ...(maxAttempts !== undefined && { maxAttempts }),
    ...endpointOfFunction(),
  };
}

/**
 * Where a function finds AWS. For each call, a client would look into the environment and into files of settings, which no function has
 * ("Service-specific endpoints", AWS SDKs and Tools Reference Guide). Commands of the operator may have such files.
 */
function endpointOfFunction() {
  if (process.env.AWS_LAMBDA_FUNCTION_NAME === undefined) return {};
  const endpoint = process.env.AWS_ENDPOINT_URL;
  return endpoint === undefined ? { ignoreConfiguredEndpointUrls: true } : { endpoint };
}
