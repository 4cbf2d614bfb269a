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
const TOKEN_HINT = 'A token for it: `leaseboard token create --name NAME --scope worker --board BOARD`.';

export function addMcp(program: Command, io: Io): void {
  const mcp = program.command('mcp').description('Agents over the Model Context Protocol');
  mcp
    .command('config')
    .description("A host's configuration, ready to paste")
    .addOption(
      new Option('--client <client>', 'which host (required)').choices(CLIENTS).makeOptionMandatory(),
    )
    .addHelpText('after', '\nExample:\n  leaseboard mcp config --client claude --agent drafter-1 > .mcp.json')
    .action(async (options: { client: Client }, command: Command) => {
      const session = await openSession(io, command.optsWithGlobals());
      const { json, note } = session.output;
      const { client } = options;
      if (json) io.out(`${JSON.stringify(fileOf(session, client))}\n`);
      else if (client === 'codex') io.out(`${tomlOf(codexServer(session))}\n`);
      else io.out(`${JSON.stringify(fileOf(session, client), null, 2)}\n`);
      note(`${WHERE[client]} ${TOKEN_HINT}`);
    });
}

/** The host's file as an object, whatever it is written in. */
function fileOf(session: Session, client: Client): object {
  if (client === 'codex') return { mcp_servers: { leaseboard: codexServer(session) } };
  // The two write a variable of the environment each in its own way.
  const variable = client === 'claude' ? `\${${TOKEN_VARIABLE}}` : `\${env:${TOKEN_VARIABLE}}`;
  const server = {
    url: urlOf(session),
    headers: { Authorization: `Bearer ${variable}`, ...agentOf(session) },
  };
  return { mcpServers: { leaseboard: client === 'claude' ? { type: 'http', ...server } : server } };
}

function codexServer(session: Session): Readonly<Record<string, string | Readonly<Record<string, string>>>> {
  const agent = agentOf(session);
  const headers = Object.keys(agent).length === 0 ? {} : { http_headers: agent };
  return { url: urlOf(session), bearer_token_env_var: TOKEN_VARIABLE, ...headers };
}

function urlOf({ settings }: Session): string {
  return `${settings.url.value}/mcp`;
}

function agentOf({ settings }: Session): Readonly<Record<string, string>> {
  return settings.agent === null ? {} : { 'X-Agent': settings.agent.value };
}

/** A JSON string is a TOML string as well. */
function tomlOf(server: ReturnType<typeof codexServer>): string {
  const lines = Object.entries(server).map(([key, value]) => `${key} = ${tomlValue(value)}`);
  return ['[mcp_servers.leaseboard]', ...lines].join('\n');
}

function tomlValue(value: string | Readonly<Record<string, string>>): string {
  if (typeof value === 'string') return JSON.stringify(value);
  const pairs = Object.entries(value).map(([name, one]) => `"${name}" = ${JSON.stringify(one)}`);
  return `{ ${pairs.join(', ')} }`;
}
