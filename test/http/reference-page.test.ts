import { describe, expect, it } from 'vitest';
import { groups, operations } from '../../functions/operations.ts';
import { openApiDocument } from '../../lib/http/openapi.ts';
import { operationName } from '../../lib/http/operation-names.ts';
import { referencePage } from '../../lib/http/pages/reference.ts';
import { versionOf } from '../../lib/http/versions.ts';

const page = (brand: string) =>
  referencePage(
    openApiDocument({ operations, groups, version: 2 }, { baseUrl: 'https://api.example.com', brand }),
  );

describe('referencePage', () => {
  const { status, headers, body } = page('Parley');
  const html = String(body);

  it('has every operation, and every schema that it links to', () => {
    expect(status).toBe(200);
    for (const contract of operations.filter((one) => versionOf(one.path) === 2)) {
      expect(html).toContain(`id="${operationName(contract)}"`);
      expect(html).toContain(contract.path);
    }
    const links = [...html.matchAll(/href="#([^"]+)"/g)].map(([, target]) => target);
    expect(links.length).toBeGreaterThan(100);
    for (const target of new Set(links)) expect(html, target).toContain(`id="${target}"`);
  });

  it('describes the responses that all operations share', () => {
    const shown = html.split('<code>503</code> Service Unavailable').length - 1;
    expect(shown).toBe(operations.filter((one) => versionOf(one.path) === 2).length);
  });

  it('runs no scripts and loads nothing', () => {
    expect(headers['content-security-policy']).toContain("default-src 'none'");
    expect(html).not.toMatch(/<script|<img|<link|javascript:/i);
  });

  it('shows the text of the document as text', () => {
    expect(String(page('<b>Brand</b>').body)).not.toContain('<b>Brand');
  });
});
