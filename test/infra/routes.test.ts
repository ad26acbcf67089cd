import { describe, expect, it } from 'vitest';
import { operations } from '../../functions/operations.ts';
import { publicFunctions } from '../../functions/public.ts';
import { account, type Properties, settings, templates } from './templates.ts';

const body = (): Properties => templates().of('AWS::ApiGatewayV2::Api')[0]?.properties.Body;

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
  it('are those of the contracts and of the public functions, and no others', () => {
    const wanted = [
      ...operations.map(({ method, path }) => `${method} ${path}`),
      ...publicFunctions.map(({ route }) => (route ? `${route.method} ${route.path}` : '$default')),
    ];
    expect([...routes().keys()]).toEqual(wanted.sort());
  });

  it('lead to the functions of the committed table', async () => {
    const lines = [...routes()].map(([route, name]) => `${route.padEnd(72)} ${name}`);
    await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot('routes.txt');
  });

  it('each invoke a function of their own with the role of the gateway, so that none needs a permission', () => {
    const names = [...routes().values()];
    expect(new Set(names).size).toBe(names.length);
    expect(templates().of('AWS::Lambda::Permission')).toEqual([]);
    for (const methods of Object.values<Properties>(body().paths)) {
      for (const route of Object.values<Properties>(methods)) {
        expect(route['x-amazon-apigateway-integration']).toMatchObject({
          type: 'AWS_PROXY',
          payloadFormatVersion: '2.0',
          credentials: { 'Fn::GetAtt': [expect.stringMatching(/^GatewayRole/), 'Arn'] },
        });
      }
    }
    const [role] = templates().resources.filter(({ logicalId }) => logicalId.startsWith('GatewayRole'));
    expect(role?.properties.Policies[0].PolicyDocument.Statement).toEqual([
      {
        Effect: 'Allow',
        Action: 'lambda:InvokeFunction',
        Resource: `arn:aws:lambda:${settings.homeRegion}:${account}:function:parley-api-*`,
      },
    ]);
  });

  it('declare every parameter of their path', () => {
    for (const [path, methods] of Object.entries<Properties>(body().paths)) {
      const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      for (const route of Object.values<Properties>(methods)) {
        expect((route.parameters ?? []).map(({ name }: { name: string }) => name)).toEqual(inPath);
      }
    }
  });
});

describe('the stage', () => {
  it('deploys by itself and logs every request with its id', () => {
    const [stage] = templates().of('AWS::ApiGatewayV2::Stage');
    expect(stage?.properties).toMatchObject({ StageName: '$default', AutoDeploy: true });
    expect(JSON.parse(stage?.properties.AccessLogSettings.Format)).toMatchObject({
      requestId: '$context.requestId',
      status: '$context.status',
    });
  });
});
