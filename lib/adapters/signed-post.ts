/** A POST to an AWS service that is signed by the SDK's signer, without the client of the service (docs/decisions/0024-s3-without-the-sdk-client.md). */
import { Hash } from '@smithy/core/serde';
import { SignatureV4, type SignatureV4Init } from '@smithy/signature-v4';
import { now } from './clock.ts';
import { defaultProvider } from './environment-credentials.ts';

export interface UnsignedPost {
  /** Name of the service in signatures, and of its host. */
  readonly service: string;
  readonly region: string;
  /** Begins with `/`. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** What `fetch` needs to send it. */
export interface SignedPost {
  readonly url: URL;
  readonly headers: Record<string, string>;
}

/** @param credentials default: those of the environment */
export async function signPost(
  { service, region, path, headers, body }: UnsignedPost,
  credentials: SignatureV4Init['credentials'] = defaultProvider(),
): Promise<SignedPost> {
  const url = new URL(path, process.env.AWS_ENDPOINT_URL ?? `https://${service}.${region}.amazonaws.com`);
  const signer = new SignatureV4({
    service,
    region,
    credentials,
    sha256: Hash.bind(null, 'sha256'),
  });
  const request = {
    method: 'POST',
    protocol: url.protocol,
    hostname: url.hostname,
    ...(url.port && { port: Number(url.port) }),
    path,
    query: {},
    headers: { host: url.host, ...headers },
    body,
  };
  return { url, headers: (await signer.sign(request, { signingDate: new Date(now()) })).headers };
}
