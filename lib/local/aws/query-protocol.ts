/** Responses of the AWS query protocol: XML with the action in the names of its elements. */
import { randomUUID } from 'node:crypto';
import { elements } from './s3-xml.ts';
import type { AwsError, AwsResponse } from './service.ts';

/** @param result XML of the result element */
export function queryResponse(action: string, namespace: string, result: string): AwsResponse {
  const metadata = `<ResponseMetadata>${elements({ RequestId: randomUUID() })}</ResponseMetadata>`;
  return {
    status: 200,
    headers: { 'content-type': 'text/xml' },
    body: `<${action}Response xmlns="${namespace}"><${action}Result>${result}</${action}Result>${metadata}</${action}Response>`,
  };
}

export function queryError({ code, message, status }: AwsError, namespace: string): AwsResponse {
  const error = elements({ Type: status < 500 ? 'Sender' : 'Receiver', Code: code, Message: message });
  return {
    status,
    headers: { 'content-type': 'text/xml' },
    body: `<ErrorResponse xmlns="${namespace}"><Error>${error}</Error>${elements({ RequestId: randomUUID() })}</ErrorResponse>`,
  };
}
