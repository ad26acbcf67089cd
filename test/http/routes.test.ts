import { describe, expect, it } from 'vitest';
import { allowedMethods, type Route } from '../../lib/http/routes.ts';

const routes: Route[] = [
  { method: 'DELETE', path: '/things/{thing_id}' },
  { method: 'GET', path: '/things/{thing_id}' },
  { method: 'HEAD', path: '/things/{thing_id}' },
  { method: 'GET', path: '/things/spread' },
  { method: 'POST', path: '/things' },
];

describe('allowedMethods', () => {
  it.each([
    ['/things', ['POST']],
    ['/things/thg_1', ['GET', 'HEAD', 'DELETE']],
    ['/things/%20', ['GET', 'HEAD', 'DELETE']],
    ['/things/spread', ['GET']],
    ['/', null],
    ['/thing', null],
    ['/things/', null],
    ['/things/thg_1/', null],
    ['/things/thg_1/more', null],
    ['/Things', null],
    ['/things/{thing_id}/{thing_id}', null],
    ['', null],
  ])('%s has %j', (path, methods) => {
    expect(allowedMethods(routes, path)).toEqual(methods);
  });
});
