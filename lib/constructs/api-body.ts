/** The HTTP API as one OpenAPI body: one resource, where routes and integrations of their own are two per operation. */

export interface ApiRoute {
  readonly method: string;
  /** With path parameters in braces: `/api/v2/spaces/{space_id}`; a last `{proxy+}` takes the rest of the path. */
  readonly path: string;
  readonly functionArn: string;
}

/** @param options.fallbackArn function of `$default`, which handles requests without a matching route */
export function apiBody(options: {
  title: string;
  region: string;
  routes: readonly ApiRoute[];
  fallbackArn: string;
}): Record<string, unknown> {
  const integration = (functionArn: string) => ({
    type: 'AWS_PROXY',
    httpMethod: 'POST',
    payloadFormatVersion: '2.0',
    uri: `arn:aws:apigateway:${options.region}:lambda:path/2015-03-31/functions/${functionArn}/invocations`,
  });
  const paths: Record<string, Record<string, unknown>> = {
    '/$default': {
      'x-amazon-apigateway-any-method': {
        isDefaultRoute: true,
        'x-amazon-apigateway-integration': integration(options.fallbackArn),
      },
    },
  };
  for (const { method, path, functionArn } of options.routes) {
    const operations = paths[path] ?? {};
    paths[path] = operations;
    operations[method.toLowerCase()] = {
      parameters: parameterNames(path).map((name) => ({
        name,
        in: 'path',
        required: true,
        schema: { type: 'string' },
      })),
      responses: { default: { description: 'See the OpenAPI document of the API itself.' } },
      'x-amazon-apigateway-integration': integration(functionArn),
    };
  }
  return { openapi: '3.0.1', info: { title: options.title, version: '2' }, paths };
}

function parameterNames(path: string): string[] {
  return [...path.matchAll(/\{(\w+)\+?\}/g)].map((match) => match[1] ?? '');
}
