/** Compares a call of the local cloud's front, and its response, with AWS's model of the operation. */
import type { NormalizedSchema } from '@smithy/core/schema';
import type { Exchange } from '../../../lib/local/aws/recorder.ts';
import { type OperationModel, operationModel } from './model.ts';
import { bodyMembers, compareStructure, type Problems } from './shapes.ts';
import { compareElement, type Element, parseXml } from './xml.ts';

/**
 * Errors that are in no operation's model: "Common Errors" of the API references, "Error responses" of Amazon S3,
 * "Programmatic errors" of DynamoDB.
 */
const commonErrors = new Set([
  ...['AccessDenied', 'AccessDeniedException', 'InternalFailure', 'InternalServerError', 'InternalError'],
  ...[
    'MissingAuthenticationTokenException',
    'ServiceUnavailable',
    'SlowDown',
    'Throttling',
    'ThrottlingException',
  ],
  ...[
    'ValidationException',
    'SignatureDoesNotMatch',
    'InvalidSignatureException',
    'UnknownOperationException',
    'SerializationException',
  ],
]);
const s3Errors = new Set([
  ...[
    'NoSuchKey',
    'NoSuchBucket',
    'NoSuchBucketPolicy',
    'PreconditionFailed',
    'InvalidRange',
    'KeyTooLongError',
  ],
  ...['BadDigest', 'InvalidArgument', 'EntityTooLarge', 'NotImplemented', 'ExpiredToken', 'InvalidRequest'],
]);

/** What AWS's model does not have in a call and its response; empty: nothing. */
export function compareExchange(exchange: Exchange): Problems {
  const { action, call } = exchange;
  const model = operationModel(call.service, action);
  const request = model === null ? [] : compareRequest(model, call);
  return [...request.map((one) => `request of ${action}: ${one}`), ...compareAnswer(exchange)];
}

/** The same for the response alone, where a test sends what AWS refuses. */
export function compareAnswer({ action, call, response }: Exchange): Problems {
  const model = operationModel(call.service, action);
  // A call that no emulator knows is refused.
  if (action === 'unknown') return response.status >= 400 ? [] : ['an unknown call succeeds'];
  if (model === null) return withoutModel.has(call.service) ? [] : [`${call.service} has no ${action}`];
  // CopyObject may fail after its status was sent ("CopyObject", Amazon S3 API Reference).
  const hasFailed = response.status >= 300 || /<Error>/.test((response.body ?? '').toString().slice(0, 100));
  const answer = hasFailed ? compareError(model, call, response) : compareSuccess(model, response);
  return answer.map((one) => `response of ${action}: ${one}`);
}

/** No client of it is installed: one call, which is written by hand (`lib/adapters/secrets-manager.ts`, `trace-segments.ts`). */
const withoutModel = new Set(['secretsmanager', 'xray']);

function compareRequest(model: OperationModel, call: Exchange['call']): Problems {
  const { input } = model;
  return [
    ...unknownNames(
      Object.keys(call.headers).filter((name) => /^x-amz-/.test(name) && !protocolHeaders.test(name)),
      input,
      'httpHeader',
    ),
    ...(isQueryProtocol(call) ? compareForm(input, call.body) : compareBody(model, input, call.body)),
    ...(isQueryProtocol(call) ? [] : unknownNames(queryNames(call), input, 'httpQuery')),
  ];
}

/** Headers of signatures, of the SDK, and of checksums of bodies ("Checking object integrity", Amazon S3 User Guide). */
const protocolHeaders =
  /^x-amz-(date|content-sha256|security-token|target|user-agent|trailer|decoded-content-length|meta-.+|checksum-.+|sdk-checksum-algorithm)$/;
/** Of presigned URLs, and the names of subresources, which the path of the operation has. */
const protocolQuery = /^(x-amz-.+|x-id|policy|list-type)$/i;

const queryNames = (call: Exchange['call']): string[] =>
  [...call.query.keys()].filter((name) => !protocolQuery.test(name));

function isQueryProtocol({ headers, service }: Exchange['call']): boolean {
  return service !== 's3' && /^application\/x-www-form-urlencoded/.test(headers['content-type'] ?? '');
}

/** Names that no member of a shape has as a trait. */
function unknownNames(
  names: readonly string[],
  shape: NormalizedSchema,
  trait: 'httpHeader' | 'httpQuery',
): Problems {
  const found = new Set(
    shape.isStructSchema()
      ? [...shape.structIterator()].flatMap(([, member]) => {
          const named = member.getMergedTraits()[trait];
          return named === undefined ? [] : [named.toLowerCase()];
        })
      : [],
  );
  return names
    .filter((name) => !found.has(name.toLowerCase()))
    .map((name) => `${trait} ${name} is not in the model`);
}

/** The first part of each name is a member: `Attributes.entry.1.key`. */
function compareForm(shape: NormalizedSchema, body: Buffer): Problems {
  const names = new Set(
    [...new URLSearchParams(body.toString()).keys()].map((name) => name.split('.')[0] ?? ''),
  );
  const members = new Set(shape.isStructSchema() ? [...shape.structIterator()].map(([name]) => name) : []);
  return [...names]
    .filter((name) => name !== 'Action' && name !== 'Version' && !members.has(name))
    .map((name) => `${name} is not in the model`);
}

/** A body of JSON: the structure itself, or its payload member, which may be bytes. */
function compareBody(model: OperationModel, shape: NormalizedSchema, body: Buffer): Problems {
  if (!shape.isStructSchema()) return [];
  const payload = [...shape.structIterator()].find(([, member]) => member.getMergedTraits().httpPayload)?.[1];
  if (payload && !payload.isStructSchema()) return [];
  const text = body.toString();
  if (text.startsWith('<')) return compareElement(payload ?? shape, parseXml(text), 'body');
  const value: unknown = text === '' ? {} : JSON.parse(text);
  return compareStructure(model, payload ?? shape, value, 'body');
}

function compareSuccess(
  model: OperationModel,
  { status, headers = {}, body = '' }: Exchange['response'],
): Problems {
  const text = body.toString();
  const expected = model.status ?? 200;
  const isRange = expected === 200 && status === 206;
  return [
    ...(status === expected || isRange ? [] : [`its status is ${status} instead of ${expected}`]),
    ...unknownNames(
      Object.keys(headers).filter((name) => /^x-amz-(?!meta-|request-id|id-2)/.test(name.toLowerCase())),
      model.output,
      'httpHeader',
    ),
    ...(/Response xmlns=/.test(text.slice(0, 200))
      ? compareQueryResult(model.output, parseXml(text))
      : compareBody(model, model.output, Buffer.from(withoutDeclaration(text)))),
  ];
}

const withoutDeclaration = (text: string): string => text.replace(/^<\?xml[^>]*\?>\s*/, '');

function compareQueryResult(shape: NormalizedSchema, root: Element): Problems {
  return root.children
    .filter(({ name }) => name !== 'ResponseMetadata')
    .flatMap((result) => compareElement(shape, result, result.name));
}

function compareError(
  model: OperationModel,
  call: Exchange['call'],
  response: Exchange['response'],
): Problems {
  const { status, headers = {} } = response;
  const text = (response.body ?? '').toString();
  // A HEAD response has no body.
  if (call.method === 'HEAD' || status === 304) return [];
  const code = (headers['x-amzn-errortype'] ?? codeOf(text)).replace(/^.*#/, '');
  if (commonErrors.has(code) || (call.service === 's3' && s3Errors.has(code))) return [];
  const name = [...model.errors].find((each) => each === code || codeNamed(model, each) === code);
  if (name === undefined) return [`the operation has no error ${code}`];
  const shape = model.errorOf(name);
  if (!shape) return [];
  const { httpError } = shape.getMergedTraits() as { httpError?: number };
  // In the AWS JSON protocols it is 400 whatever the model says ("Encrypt", AWS KMS API Reference: NotFoundException).
  const hasStatus = model.status === null || httpError === undefined || httpError === status;
  return [
    ...(hasStatus ? [] : [`the status of ${code} is ${status} instead of ${httpError}`]),
    ...(text.startsWith('{') ? unknownMembers(shape, JSON.parse(text)) : []),
  ];
}

/** The code on the wire of the query protocol, which may differ from the name of the shape. */
function codeNamed(model: OperationModel, name: string): string | undefined {
  const traits = model.errorOf(name)?.getMergedTraits() as { awsQueryError?: [string, number] } | undefined;
  return traits?.awsQueryError?.[0];
}

function codeOf(text: string): string {
  const [, code = ''] = /<Code>([^<]*)<\/Code>/.exec(text) ?? /"__type":\s*"([^"]*)"/.exec(text) ?? [];
  return code;
}

/** Of every error. DynamoDB Local has its text under this name, which SDKs read, too. */
const errorMembers: ReadonlySet<string> = new Set([
  '__type',
  ...(process.env.PARLEY_TABLE_ENGINE === 'dynamodb-local' ? ['Message'] : []),
]);

function unknownMembers(shape: NormalizedSchema, body: object): Problems {
  const members = bodyMembers(shape);
  return Object.keys(body)
    .filter((name) => !errorMembers.has(name) && !members.has(name))
    .map((name) => `${shape.getName()}.${name} is not in the model`);
}
