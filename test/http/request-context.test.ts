import { describe, expect, it } from 'vitest';
import { createRequestContext } from '../../lib/http/request-context.ts';
import { gatewayEvent, urls } from './gateway.ts';

const unset = { apiBaseUrl: '', docsUrl: '' };

describe('createRequestContext', () => {
  it('takes the base URL from the deployment when the client sends another host', () => {
    const forged = gatewayEvent({
      headers: { host: 'evil.test', 'x-forwarded-proto': 'http', 'x-forwarded-host': 'evil.test' },
    });
    expect(createRequestContext(forged, unset).baseUrl).toBe('https://api.example.com');
    const configured = { ...urls(), apiBaseUrl: 'https://mail.acme.dev/' };
    expect(createRequestContext(forged, configured).baseUrl).toBe('https://mail.acme.dev');
  });

  it.each([
    ['127.0.0.1:8000', 'http://127.0.0.1:8000'],
    ['evil.test:8000', 'http://127.0.0.1:8000'],
    ['evil.test:8000@evil.test', 'http://127.0.0.1'],
  ])('takes only the port from the host when the API runs locally: %s', (host, expected) => {
    const event = gatewayEvent({ headers: { host } });
    const local = { ...event, requestContext: { ...event.requestContext, domainName: '127.0.0.1' } };
    expect(createRequestContext(local, unset).baseUrl).toBe(expected);
  });
});
