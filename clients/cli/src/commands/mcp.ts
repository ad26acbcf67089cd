/** `parley mcp`: the tools for agents, over stdin and stdout. */
import { accountOf } from '../client.ts';
import { command } from '../output.ts';

export const mcp = command({
  name: 'mcp',
  summary: 'Serves email to an agent over the Model Context Protocol, on stdin and stdout.',
  details: 'For the configuration of a host; what the tools may do is what the key may do.',
  examples: [['mcp --profile agent', 'serves with the key of a profile']],
  endsItself: true,
  run: async (values, { signal }) => {
    const { api_key: apiKey, base_url: baseUrl } = accountOf(values);
    // Large, and of no other command.
    const { runStdio } = await import('../../../mcp/src/index.ts');
    const stopped = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
    await Promise.race([runStdio({ apiKey, baseUrl }), stopped]);
  },
});
