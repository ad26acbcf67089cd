/**
 * Requests to AWS services by the SDK's credentials, HTTP handler and retries, without its clients; see
 * docs/decisions/0057-requests-without-sdk-clients.md.
 */
import { defaultProvider } from '@aws-sdk/credential-provider-node';
import { isThrottlingError, isTransientError, StandardRetryStrategy } from '@smithy/core/retry';
import { HttpRequest } from '@smithy/core/transport';
import { NodeHttpHandler } from '@smithy/node-http-handler';
import type { RetryErrorInfo, SdkError } from '@smithy/types';
import { type ClientOptions, clientConfig } from './aws-clients.ts';
import { now, pause } from './clock.ts';
import { createSigner } from './sigv4.ts';

/** A service of a region. */
export interface AwsService {
  /** As it is signed for. */
  readonly name: 'dynamodb' | 'kms' | 'scheduler' | 'ses' | 'sqs';
  /** Default: that of the function. */
  readonly region?: string;
  readonly options?: ClientOptions;
  /** The longest pause before a second attempt; it doubles with each further one. */
  readonly retryDelayMs?: number;
}

export interface AwsRequest {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  /** In lower case, without `host`. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Scheme and host; default: those of the service. */
  readonly endpoint?: string;
  /** Ends all attempts. */
  readonly signal?: AbortSignal;
}

/** A service refused a request. `name` is the code of the error; `$metadata` is what the SDK's retries look at. */
export class ServiceError extends Error {
  readonly $metadata: { readonly httpStatusCode: number };
  /** The body of the response. */
  readonly fields: Readonly<Record<string, unknown>>;

  constructor(name: string, message: string, status: number, fields: Readonly<Record<string, unknown>>) {
    super(message);
    this.name = name;
    this.$metadata = { httpStatusCode: status };
    this.fields = fields;
  }
}

/** Attempts of a request ("Retry behavior", AWS SDKs and Tools Reference Guide). */
const attemptsMax = 3;

/**
 * Sends requests whose bodies and responses are JSON. The result is the body of the response, null where it is empty.
 *
 * Throttling, server errors, timeouts and broken connections are retried, so that a request may be carried out twice, as with the SDK's clients
 * (`lib/adapters/aws-clients.ts`).
 *
 * @throws ServiceError; errors of the connection
 */
export function serviceCaller({
  name,
  region = functionRegion(),
  options = {},
  retryDelayMs = 50,
}: AwsService): (request: AwsRequest) => Promise<unknown> {
  const handler = new NodeHttpHandler(clientConfig(options).requestHandler);
  const retries = new StandardRetryStrategy({
    maxAttempts: options.maxAttempts ?? attemptsMax,
    baseDelay: retryDelayMs,
  });
  const signer = createSigner(name, region);
  const credentialsOf = defaultProvider();
  const endpoint = endpointOf(name, region);

  async function attempt(request: AwsRequest): Promise<unknown> {
    const url = request.endpoint === undefined ? endpoint : new URL(request.endpoint);
    const { method, path, body } = request;
    const headers = {
      host: url.host,
      ...(body !== undefined && { 'content-length': String(Buffer.byteLength(body)) }),
      ...request.headers,
    };
    const unsigned = { method, path, headers, ...(body !== undefined && { body }) };
    const signed = new HttpRequest({
      ...unsigned,
      protocol: url.protocol,
      hostname: url.hostname,
      ...(url.port !== '' && { port: Number(url.port) }),
      headers: signer.sign(unsigned, await credentialsOf(), now()),
    });
    const { response } = await handler.handle(signed, {
      ...(request.signal && { abortSignal: request.signal }),
    });
    return resultOf(response.statusCode, response.headers, (await bytesOf(response.body)).toString());
  }

  return async (request) => {
    let token = await retries.acquireInitialRetryToken('');
    for (;;) {
      try {
        const result = await attempt(request);
        retries.recordSuccess(token);
        return result;
      } catch (error) {
        // It waits, or rejects where no attempt is left.
        token = await retries.refreshRetryTokenForRetry(token, retryInfoOf(error)).catch(() => {
          throw error;
        });
        const delayMs = token.getRetryDelay();
        if (delayMs > 0) await pause(delayMs);
      }
    }
  };
}

function retryInfoOf(thrown: unknown): RetryErrorInfo {
  const error = thrown as SdkError;
  if (isThrottlingError(error)) return { error, errorType: 'THROTTLING' };
  return { error, errorType: isTransientError(error) ? 'TRANSIENT' : 'CLIENT_ERROR' };
}

const functionRegion = (): string => process.env.AWS_REGION ?? 'us-east-1';

/** In hosts and in variables, version 2 of the API of SES has other names ("Amazon SES endpoints and quotas"). */
const sesNames = { host: 'email', variable: 'SESV2' } as const;

/** `AWS_ENDPOINT_URL_<NAME>`: "Service-specific endpoints", AWS SDKs and Tools Reference Guide. */
function endpointOf(name: AwsService['name'], region: string): URL {
  const { host, variable } = name === 'ses' ? sesNames : { host: name, variable: name.toUpperCase() };
  const endpoint = process.env[`AWS_ENDPOINT_URL_${variable}`] ?? process.env.AWS_ENDPOINT_URL;
  return new URL(endpoint ?? `https://${host}.${region}.amazonaws.com`);
}

/** The body of a response. Rejects where it breaks off. */
export function bytesOf(body: NodeJS.ReadableStream): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    body
      .on('data', (chunk: Buffer) => chunks.push(chunk))
      .on('error', reject)
      .on('end', () => resolve(Buffer.concat(chunks)));
  });
}

/** @throws ServiceError */
function resultOf(status: number, headers: Readonly<Record<string, string>>, text: string): unknown {
  if (status < 300) return text === '' ? null : JSON.parse(text);
  const fields = fieldsOf(text);
  // "Operation error serialization" of the AWS JSON and REST JSON protocols, Smithy.
  const type = String(headers['x-amzn-errortype'] ?? fields.__type ?? fields.code ?? 'UnknownError');
  const name = type.replace(/^.*#/, '').replace(/:.*$/, '');
  const message = String(fields.message ?? fields.Message ?? `status ${status}`);
  throw new ServiceError(name, message, status, fields);
}

/** Of a gateway that answers no JSON, none. */
function fieldsOf(text: string): Readonly<Record<string, unknown>> {
  try {
    const parsed: unknown = JSON.parse(text);
    return typeof parsed === 'object' && parsed !== null ? { ...parsed } : {};
  } catch {
    return {};
  }
}
