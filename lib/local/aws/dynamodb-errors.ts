/** Errors of DynamoDB that the emulator returns itself. */
import type { AwsResponse } from './service.ts';

/** @param body members of the error beside its type */
export function failure(code: string, body: object): AwsResponse {
  return {
    status: 400,
    headers: { 'content-type': 'application/x-amz-json-1.0' },
    body: JSON.stringify({ __type: `com.amazonaws.dynamodb.v20120810#${code}`, ...body }),
  };
}
