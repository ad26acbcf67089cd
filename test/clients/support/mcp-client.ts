/** The official client of the Model Context Protocol, connected to the tools for agents. */
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { cloud } from '../../support/cloud.ts';

const root = join(import.meta.dirname, '../../..');
const client = join(root, 'test/tools/node_modules/@modelcontextprotocol/client/dist');

/** What the tests use of the client, which is in test/tools. */
interface Sdk {
  readonly Client: new (info: object, options?: object) => McpClient;
  readonly StreamableHTTPClientTransport: new (url: URL, options: object) => object;
  readonly StdioClientTransport: new (options: object) => object;
}

export interface McpClient {
  connect(transport: object): Promise<void>;
  listTools(): Promise<{ readonly tools: readonly { readonly name: string }[] }>;
  callTool(
    call: { name: string; arguments: object },
    options?: { signal?: AbortSignal },
  ): Promise<CallResult>;
  getInstructions(): string | undefined;
  getNegotiatedProtocolVersion(): string | undefined;
  close(): Promise<void>;
}

export interface CallResult {
  readonly isError?: boolean;
  readonly content: readonly { readonly type: string; readonly text: string }[];
  // biome-ignore lint/suspicious/noExplicitAny: tests read results of many tools
  readonly structuredContent?: any;
}

/** How a host reaches the tools: a program, `POST /mcp` with the protocol of 2026, or with that of 2025. */
export const ways = ['stdio', 'http', 'http of 2025'] as const;
export type Way = (typeof ways)[number];

/** A program that a host starts. */
export interface Program {
  readonly command: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
}

const ownProgram: Program = { command: process.execPath, args: [join(root, 'clients/mcp/src/main.ts')] };

async function loadSdk(): Promise<Sdk> {
  const [http, stdio] = await Promise.all([
    import(join(client, 'index.mjs')),
    import(join(client, 'stdio.mjs')),
  ]);
  return { ...http, ...stdio };
}

/** A connected host. @param program of stdio; default: the source of the package */
export async function host(key: string, way: Way, program: Program = ownProgram) {
  const sdk = await loadSdk();
  const negotiation = way === 'http' ? { versionNegotiation: { mode: 'auto' } } : {};
  const connected = new sdk.Client({ name: 'tests', version: '1' }, negotiation);
  const { origin } = new URL(cloud().baseUrl);
  const environment = { PARLEY_API_KEY: key, PARLEY_BASE_URL: origin };
  const { PATH = '', HOME = '' } = process.env;
  await connected.connect(
    way === 'stdio'
      ? new sdk.StdioClientTransport({ ...program, env: { PATH, HOME, ...environment, ...program.env } })
      : new sdk.StreamableHTTPClientTransport(new URL('/mcp', origin), {
          requestInit: { headers: { Authorization: `Bearer ${key}` } },
        }),
  );
  onTestFinished(() => connected.close());
  return {
    client: connected,
    /** The names of the tools. */
    names: async () => (await connected.listTools()).tools.map(({ name }) => name),
    /** A call that succeeds: its structured content, and its text as `text`. */
    call: async (name: string, given: object = {}) => {
      const result = await connected.callTool({ name, arguments: given });
      const text = result.content.map((one) => one.text).join('');
      expect(result.isError ?? false, text).toBe(false);
      return { ...result.structuredContent, text };
    },
    /** The text of a call that fails. */
    refusal: async (name: string, given: object = {}) => {
      const result = await connected.callTool({ name, arguments: given });
      const text = result.content.map((one) => one.text).join('');
      expect(result.isError, text).toBe(true);
      return text;
    },
  };
}
