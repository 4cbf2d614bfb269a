/**
 * Runs the official conformance suite against a server of its own, once for each revision that it answers to:
 * `npm run conformance`. Ends with 1 when a check fails that conformance.yml does not explain, or no longer fails.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startOwnStack } from '../../demo/fleet/own-stack.ts';
import { BASELINE, conformanceCommand } from './support/conformance-command.ts';
import { startTokenProxy } from './support/token-proxy.ts';

const REVISIONS = ['2025-11-25', '2026-07-28'];

const results = await mkdtemp(join(tmpdir(), 'leaseboard-conformance-'));
const stack = await startOwnStack();
// The suite has no way to send a token.
const proxy = await startTokenProxy(stack.url, stack.token);
try {
  for (const revision of REVISIONS) {
    console.log(`\nMCP ${revision}\n`);
    const { command, args } = conformanceCommand(`${proxy.url}/mcp`, results);
    const suite = spawn(command, [...args, '--requirements', revision, '--expected-failures', BASELINE], {
      stdio: 'inherit',
    });
    const [code] = await once(suite, 'exit');
    if (code !== 0) process.exitCode = 1;
  }
} finally {
  await proxy.close();
  await stack.stop();
  await rm(results, { recursive: true });
}
