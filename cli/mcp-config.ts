/** `leaseboard mcp config`: what an MCP host needs to know, ready to paste. The token stays in the environment. */
import { Option, type Command } from 'commander';
import type { Io } from './io.ts';
import { openSession, type Session } from './session.ts';

const CLIENTS = ['claude', 'codex', 'cursor'] as const;
type Client = (typeof CLIENTS)[number];

/** Name of the environment's variable that the host reads the token from. */
const TOKEN_VARIABLE = 'LEASEBOARD_TOKEN';

const WHERE: Readonly<Record<Client, string>> = {
  claude: "Put this into your project's .mcp.json, and set LEASEBOARD_TOKEN where claude starts.",
  codex: 'Put this into ~/.codex/config.toml, and set LEASEBOARD_TOKEN where codex starts.',
  cursor: "Put this into your project's .cursor/mcp.json, and set LEASEBOARD_TOKEN where Cursor starts.",
};

export function addMcp(program: Command, io: Io): void {
  const mcp = program.command('mcp').description('Agents over the Model Context Protocol');
  mcp
    .command('config')
    .description("A host's configuration, ready to paste")
    .addOption(new Option('--client <client>', 'which host').choices(CLIENTS).makeOptionMandatory())
    .addHelpText('after', '\nExample:\n  leaseboard mcp config --client claude --agent drafter-1 > .mcp.json')
    .action(async (options: { client: Client }, command: Command) => {
      const session = await openSession(io, command.optsWithGlobals());
      io.out(`${snippet(session, options.client)}\n`);
      session.output.note(WHERE[options.client]);
    });
}

function snippet({ settings }: Session, client: Client): string {
  const url = `${settings.url.value.replace(/\/+$/, '')}/mcp`;
  const agent = settings.agent === null ? {} : { 'X-Agent': settings.agent.value };
  if (client === 'codex') return codex(url, agent);
  // The two write a variable of the environment each in its own way.
  const variable = client === 'claude' ? `\${${TOKEN_VARIABLE}}` : `\${env:${TOKEN_VARIABLE}}`;
  const headers = { Authorization: `Bearer ${variable}`, ...agent };
  const server = client === 'claude' ? { type: 'http', url, headers } : { url, headers };
  return JSON.stringify({ mcpServers: { leaseboard: server } }, null, 2);
}

/** A JSON string is a TOML string as well. */
function codex(url: string, agent: Readonly<Record<string, string>>): string {
  const headers = Object.entries(agent).map(([name, value]) => `"${name}" = ${JSON.stringify(value)}`);
  return [
    '[mcp_servers.leaseboard]',
    `url = ${JSON.stringify(url)}`,
    `bearer_token_env_var = "${TOKEN_VARIABLE}"`,
    ...(headers.length === 0 ? [] : [`http_headers = { ${headers.join(', ')} }`]),
  ].join('\n');
}
