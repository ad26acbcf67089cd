import { describe, expect, it } from 'vitest';
import { operations } from '../../functions/operations.ts';
import { publicFunctions, routesOf } from '../../functions/public.ts';
import { account, type Properties, settings, templates } from './templates.ts';

const body = (): Properties =>
  templates()
    .of('AWS::ApiGatewayV2::Api')
    .find(({ properties }) => properties.Body)?.properties.Body;

/** `GET /api/v2/spaces` to the name of its function, `$default` last. */
function routes(): Map<string, string> {
  const functions = new Map(templates().resources.map((r) => [r.logicalId, r.properties.FunctionName]));
  const found: [string, string][] = [];
  for (const [path, methods] of Object.entries<Properties>(body().paths)) {
    for (const [method, route] of Object.entries<Properties>(methods)) {
      const uri = JSON.stringify(route['x-amazon-apigateway-integration'].uri);
      const [, logicalId = ''] = /"Fn::GetAtt":\["(\w+)","Arn"\]/.exec(uri) ?? [];
      const name = route.isDefaultRoute ? '$default' : `${method.toUpperCase()} ${path}`;
      found.push([name, functions.get(logicalId)]);
    }
  }
  return new Map(found.sort(([a], [b]) => (a < b ? -1 : 1)));
}

describe('routes', () => {
  it('are exactly those of the contracts and the public functions', () => {
    const wanted = [
      ...operations.map(({ method, path }) => `${method} ${path}`),
      ...publicFunctions.flatMap((spec) =>
        spec.route ? routesOf(spec).map(({ method, path }) => `${method} ${path}`) : '$default',
      ),
    ];
    expect([...routes().keys()]).toEqual(wanted.sort());
  });

  it('invoke the functions of the committed table', async () => {
    const lines = [...routes()].map(([route, name]) => `${route.padEnd(72)} ${name}`);
    await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot('routes.txt');
  });

  it('each invoke a function of their own, HEAD and other paths of a page that of its first, whose permission names this API', () => {
    const pages = publicFunctions.filter(({ answersHead }) => answersHead);
    const others = new Set<string>();
    for (const page of pages) {
      const [first, ...more] = routesOf(page).map(({ method, path }) => `${method} ${path}`);
      for (const route of more) {
        expect(routes().get(route)).toBe(routes().get(first ?? ''));
        others.add(route);
      }
    }
    const names = [...routes()].filter(([route]) => !others.has(route)).map(([, name]) => name);
    expect(new Set(names).size).toBe(names.length);
    const permissions = templates()
      .of('AWS::Lambda::Permission')
      .filter(({ stack }) => stack.endsWith('-Api'));
    expect(permissions).toHaveLength(names.length);
    const permitted = permissions.map(({ properties }) => properties.FunctionName['Fn::GetAtt'][0]);
    expect(new Set(permitted).size).toBe(names.length);
    for (const { properties } of permissions) {
      expect(properties).toEqual({
        Action: 'lambda:InvokeFunction',
        FunctionName: expect.anything(),
        Principal: 'apigateway.amazonaws.com',
        SourceArn: {
          'Fn::Join': [
            '',
            [`arn:aws:execute-api:${settings.homeRegion}:${account}:`, { Ref: 'Api' }, '/*/*'],
          ],
        },
      });
    }
    for (const methods of Object.values<Properties>(body().paths)) {
      for (const route of Object.values<Properties>(methods)) {
        expect(route['x-amazon-apigateway-integration']).toEqual({
          type: 'AWS_PROXY',
          httpMethod: 'POST',
          payloadFormatVersion: '2.0',
          uri: expect.anything(),
        });
      }
    }
  });

  it('declare every parameter of their path', () => {
    for (const [path, methods] of Object.entries<Properties>(body().paths)) {
      const inPath = [...path.matchAll(/\{(\w+)\+?\}/g)].map(([, name]) => name);
      for (const route of Object.values<Properties>(methods)) {
        expect((route.parameters ?? []).map(({ name }: { name: string }) => name)).toEqual(inPath);
      }
    }
  });
});

describe('the stage', () => {
  it('deploys automatically and logs every request with its id', () => {
    const [stage] = templates()
      .of('AWS::ApiGatewayV2::Stage')
      .filter(({ properties }) => properties.StageName === '$default');
    expect(stage?.properties).toMatchObject({ StageName: '$default', AutoDeploy: true });
    expect(JSON.parse(stage?.properties.AccessLogSettings.Format)).toMatchObject({
      requestId: '$context.requestId',
      status: '$context.status',
    });
  });
});
