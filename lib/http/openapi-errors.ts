/**
 * The error responses in the OpenAPI documents: one component for each status, whose description names the codes that most
 * operations answer with. A reference has a description of its own where its operation answers with others.
 */
import { STATUS_CODES } from 'node:http';
import { problemStatus } from '../core/problems.ts';
import type { Contract } from './contract.ts';
import { gatewayComponents, gatewayErrorReference, gatewayOccasions } from './openapi-gateway.ts';
import { admittedResponse, describeHeaders, everyResponse } from './openapi-headers.ts';
import type { Json } from './openapi-schemas.ts';
import { codesOf, v1CodesOf } from './operation-codes.ts';
import { problemMediaType } from './problem-body.ts';
import { v1ErrorStatus } from './v1-error.ts';
import type { ApiVersion } from './versions.ts';

interface ErrorFormat {
  codesOf(contract: Contract): readonly string[];
  readonly statusOf: Readonly<Record<string, number>>;
  readonly mediaType: string;
  /** Name of the component. */
  readonly schema: string;
}

const formats: Readonly<Record<ApiVersion, ErrorFormat>> = {
  1: { codesOf: v1CodesOf, statusOf: v1ErrorStatus, mediaType: 'application/json', schema: 'ErrorBody' },
  2: { codesOf, statusOf: problemStatus, mediaType: problemMediaType, schema: 'Problem' },
};

/** The headers of errors with a status. */
export function errorHeaders(status: number): Json {
  return {
    ...(status === 429 ? admittedResponse : everyResponse),
    ...(status === 401 && describeHeaders({ 'WWW-Authenticate': '`Bearer`.' })),
    ...(status === 429 && describeHeaders({ 'Retry-After': 'Seconds; at least 1.' })),
  };
}

/** The error responses of a document. */
export interface ErrorResponses {
  readonly components: Json;
  /** By status. */
  of(contract: Contract): Json;
}

/** @param operations those of the document */
export function errorResponses(operations: readonly Contract[], version: ApiVersion): ErrorResponses {
  const format = formats[version];
  const all = operations.flatMap((contract) => [...descriptionsOf(contract, format)]);
  const shared = new Map(
    [...Map.groupBy(all, ([status]) => status)]
      .sort(([one], [other]) => one - other)
      .map(([status, some]) => [status, mostCommon(some.map(([, description]) => description))]),
  );
  const components = [...shared].map(([status, description]) => [
    componentName(status),
    { description, headers: errorHeaders(status), content: contentOf(status, format) },
  ]);
  return {
    components: { ...Object.fromEntries(components), ...gatewayComponents.responses },
    of(contract) {
      const own = [...descriptionsOf(contract, format)].map(([status, description]) => [
        status,
        // The name of the status is in the component.
        reference(
          componentName(status),
          description !== shared.get(status) && description.slice(`${STATUS_CODES[status]}: `.length),
        ),
      ]);
      return {
        ...(contract.body && { 413: reference('RequestTooLarge') }),
        503: reference('Unavailable'),
        ...Object.fromEntries(own),
      };
    },
  };
}

/** What the error responses of an operation say, by status. */
function descriptionsOf(contract: Contract, { codesOf, statusOf }: ErrorFormat): Map<number, string> {
  const byStatus = Map.groupBy(codesOf(contract), (code) => statusOf[code] ?? Number.NaN);
  return new Map([...byStatus].map(([status, codes]) => [status, descriptionOf(status, codes)]));
}

function mostCommon(texts: readonly string[]): string {
  const [[text = ''] = []] = [...Map.groupBy(texts, (text) => text).values()].sort(
    (one, other) => other.length - one.length,
  );
  return text;
}

/** `NotFound`. */
const componentName = (status: number): string => (STATUS_CODES[status] ?? '').replaceAll(' ', '');

/** A description beside `$ref` replaces that of the component (Reference Object of OpenAPI 3.1). */
function reference(name: string, description: string | false = false): Json {
  return { $ref: `#/components/responses/${name}`, ...(description !== false && { description }) };
}

function descriptionOf(status: number, codes: readonly string[]): string {
  const own = `${STATUS_CODES[status]}: ${codes.map((code) => `\`${code}\``).join(', ')}.`;
  const occasion = gatewayOccasions[status];
  return occasion === undefined ? own : `${own} Of the gateway ${occasion}, without these headers.`;
}

/** Errors that the gateway has as well come with its body in place of that of the API. */
function contentOf(status: number, { mediaType, schema }: ErrorFormat): Json {
  const own = { $ref: `#/components/schemas/${schema}` };
  if (!(status in gatewayOccasions)) return { [mediaType]: { schema: own } };
  const gatewayMediaType = 'application/json';
  if (mediaType === gatewayMediaType)
    return { [mediaType]: { schema: { anyOf: [own, gatewayErrorReference] } } };
  return { [mediaType]: { schema: own }, [gatewayMediaType]: { schema: gatewayErrorReference } };
}
