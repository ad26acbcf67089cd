/** Samples of an operation in curl, TypeScript and Python, from the example values of its contract. */
import type { CodeBlock } from '../code-blocks.ts';
import { clientPackage } from './client-package.ts';
import type { Operation } from './document.ts';

/** The values of a sample. */
interface SampleValues {
  /** Path with the example values of its parameters, from the root of the host. */
  readonly path: string;
  /** Values of path parameters in order. */
  readonly ids: readonly string[];
  readonly query: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;
  /** undefined: no body. */
  readonly body: unknown;
  /** The answer is a redirect to a file. */
  readonly isDownload: boolean;
}

/** Headers that a sample sends when the operation takes them: a repeated send must not send twice. */
const sampleHeaders: Readonly<Record<string, string>> = { 'Idempotency-Key': 'order-4711-shipped' };

/** The base URL that the script of the site replaces by the deployment's own. */
export const exampleOrigin = 'https://api.example.com';

/** @param version of the API: version 1 has no client library */
export function samplesOf(operation: Operation, version: string): CodeBlock[] {
  const values = valuesOf(operation);
  return [
    { language: 'bash', code: curl(operation, values, version) },
    {
      language: 'typescript',
      code: version === '1' ? fetchCall(operation, values) : clientCall(operation, values),
    },
    { language: 'python', code: python(operation, values, version) },
  ];
}

function valuesOf({ path, parameters, body, responses }: Operation): SampleValues {
  const of = (location: string) => parameters.filter((one) => one.location === location);
  const ids = of('path').map(({ example }) => String(example ?? ''));
  const named = new Map(of('path').map(({ name }, at) => [name, ids[at] ?? '']));
  const required = of('query').filter(({ isRequired }) => isRequired);
  return {
    path: path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(named.get(name) ?? name)),
    ids,
    query: Object.fromEntries(required.map(({ name, example }) => [name, String(example ?? '')])),
    headers: Object.fromEntries(
      of('header').flatMap(({ name }) => {
        const value = sampleHeaders[name];
        return value === undefined ? [] : [[name, value]];
      }),
    ),
    body: body?.example,
    isDownload: responses.some(({ status }) => status.startsWith('3')),
  };
}

/** Path below the base URL of version 2, which the environment has; of version 1, a whole URL. */
function urlIn(values: SampleValues, version: string, variable: string): string {
  const query = new URLSearchParams(values.query).toString();
  const path = `${values.path}${query && `?${query}`}`;
  return version === '1' ? `${exampleOrigin}${path}` : `${variable}${path.replace(/^\/api\/v2/, '')}`;
}

function curl({ method }: Operation, values: SampleValues, version: string): string {
  const { body, headers, isDownload } = values;
  const asks =
    method === 'HEAD' ? ' --head' : method === 'GET' || (method === 'POST' && body) ? '' : ` -X ${method}`;
  const parts = [
    `curl${asks} "${urlIn(values, version, '$PARLEY_BASE_URL')}"`,
    '-H "Authorization: Bearer $PARLEY_API_KEY"',
    ...Object.entries(headers).map(([name, value]) => `-H "${name}: ${value}"`),
  ];
  if (body !== undefined) {
    const json = JSON.stringify(body, null, 2).replaceAll("'", "'\\''").replaceAll('\n', '\n  ');
    parts.push('-H "Content-Type: application/json"', `-d '${json}'`);
  }
  if (isDownload && method === 'GET') parts.push('--location --output file');
  return parts.join(' \\\n  ');
}

/** `webhook-endpoints.rotate-secret` is `webhookEndpoints.rotateSecret`. */
const camelCase = (name: string): string =>
  name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());

function clientCall({ name, method, responses }: Operation, { ids, query, body }: SampleValues): string {
  const fields = body ?? (Object.keys(query).length > 0 ? query : undefined);
  const callWith = (isBroken: boolean) => {
    const args = [
      ...ids.map(quoted),
      ...(fields === undefined ? [] : [typescriptLiteral(fields, 0, isBroken)]),
    ];
    return `parley.${camelCase(name)}(${args.join(', ')})`;
  };
  const line = callWith(false);
  const call = isShort(line) ? line : callWith(true);
  return `import { ${clientPackage.className} } from '${clientPackage.name}';

// Reads PARLEY_API_KEY and PARLEY_BASE_URL.
const parley = new ${clientPackage.className}();

${statementOf(call, method, responses)}`;
}

function statementOf(call: string, method: string, responses: Operation['responses']): string {
  const examples = responses.map(({ content }) => content?.example);
  const isList = examples.some((one) => typeof one === 'object' && one !== null && 'next_cursor' in one);
  if (isList && method === 'GET') return `for await (const item of ${call}) console.log(item);`;
  return method === 'DELETE' ? `await ${call};` : `const result = await ${call};\nconsole.log(result);`;
}

function fetchCall({ method, responses }: Operation, values: SampleValues): string {
  const { body, headers } = values;
  const lines = [
    method === 'GET' ? '' : `  method: '${method}',\n`,
    '  headers: {\n',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the sample has a template string.
    '    authorization: `Bearer ${process.env.PARLEY_API_KEY}`,\n',
    ...Object.entries(headers).map(([name, value]) => `    '${name.toLowerCase()}': ${quoted(value)},\n`),
    body === undefined ? '' : "    'content-type': 'application/json',\n",
    '  },\n',
    body === undefined
      ? ''
      : `  body: JSON.stringify(${typescriptLiteral(body).replaceAll('\n', '\n  ')}),\n`,
  ];
  const hasJson = responses.some(
    ({ status, content }) => /^2/.test(status) && content?.mediaType.endsWith('json'),
  );
  return `const response = await fetch('${urlIn(values, '1', '')}', {
${lines.join('')}});
console.log(response.status${hasJson ? ', await response.json()' : ''});`;
}

function python({ method, responses }: Operation, values: SampleValues, version: string): string {
  const { body, headers } = values;
  const url = urlIn(values, version, "{os.environ['PARLEY_BASE_URL']}");
  const given = [
    `    ${version === '1' ? '' : 'f'}"${url}",\n`,
    '    headers={\n',
    '        "Authorization": f"Bearer {os.environ[\'PARLEY_API_KEY\']}",\n',
    ...Object.entries(headers).map(([name, value]) => `        "${name}": ${JSON.stringify(value)},\n`),
    '    },\n',
    body === undefined ? '' : `    json=${pythonLiteral(body, 1)},\n`,
    '    timeout=30,\n',
  ];
  const hasJson = responses.some(
    ({ status, content }) => /^2/.test(status) && content?.mediaType.endsWith('json'),
  );
  return `import os
import requests

response = requests.${method.toLowerCase()}(
${given.join('')})
response.raise_for_status()
${hasJson ? 'print(response.json())' : 'print(response.status_code)'}`;
}

const quoted = (text: string): string =>
  `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;

/** A value as Prettier writes it: an object of one short field stays on its line. */
function typescriptLiteral(value: unknown, depth = 0, isBroken = false): string {
  if (typeof value === 'string') return quoted(value);
  const pad = '  '.repeat(depth + 1);
  const close = '  '.repeat(depth);
  if (Array.isArray(value)) {
    const items = value.map((item) => typescriptLiteral(item, depth + 1));
    const line = `[${items.join(', ')}]`;
    return isShort(line) ? line : `[\n${items.map((item) => `${pad}${item},\n`).join('')}${close}]`;
  }
  if (typeof value === 'object' && value !== null) {
    const items = Object.entries(value).map(([name, item]) => {
      const key = /^[a-z_]\w*$/i.test(name) ? name : quoted(name);
      return `${key}: ${typescriptLiteral(item, depth + 1)}`;
    });
    if (items.length === 0) return '{}';
    const line = `{ ${items.join(', ')} }`;
    return items.length < 3 && isShort(line) && !isBroken
      ? line
      : `{\n${items.map((item) => `${pad}${item},\n`).join('')}${close}}`;
  }
  return String(value);
}

function pythonLiteral(value: unknown, depth: number): string {
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  const pad = '    '.repeat(depth + 1);
  const close = '    '.repeat(depth);
  if (Array.isArray(value)) {
    const items = value.map((item) => pythonLiteral(item, depth + 1));
    const line = `[${items.join(', ')}]`;
    return isShort(line) ? line : `[\n${items.map((item) => `${pad}${item},\n`).join('')}${close}]`;
  }
  if (typeof value === 'object') {
    const items = Object.entries(value).map(
      ([name, item]) => `${JSON.stringify(name)}: ${pythonLiteral(item, depth + 1)}`,
    );
    if (items.length === 0) return '{}';
    const line = `{${items.join(', ')}}`;
    return items.length < 3 && isShort(line)
      ? line
      : `{\n${items.map((item) => `${pad}${item},\n`).join('')}${close}}`;
  }
  return JSON.stringify(value);
}

/** Characters of a line that a sample keeps together. */
const shortMax = 56;
const isShort = (line: string): boolean => line.length <= shortMax && !line.includes('\n');
