/** Where objects are: bucket, key and region, and the URL of it. */

/** Address of an object. Default region: that of the function. */
export interface ObjectRef {
  readonly bucket: string;
  readonly key: string;
  readonly region?: string;
}

/** Path-style URL when an endpoint is set (local cloud), virtual-hosted-style URL in AWS. */
export function addressOf(ref: ObjectRef): URL {
  const path = ref.key.split('/').map(encodeURIComponent).join('/');
  const endpoint = process.env.AWS_ENDPOINT_URL_S3 ?? process.env.AWS_ENDPOINT_URL;
  if (endpoint) return new URL(`/${ref.bucket}/${path}`, endpoint);
  return new URL(`https://${ref.bucket}.s3.${regionOf(ref)}.amazonaws.com/${path}`);
}

export const regionOf = ({ region }: Pick<ObjectRef, 'region'>): string =>
  region ?? process.env.AWS_REGION ?? 'us-east-1';
