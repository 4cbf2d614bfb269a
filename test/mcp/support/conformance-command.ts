/** The official conformance suite as a command. */
import { fileURLToPath } from 'node:url';

/** Checks that are known to fail, each with its reason. */
export const BASELINE = fileURLToPath(new URL('../conformance.yml', import.meta.url));

/** @param results Directory for the suite's own files. */
export function conformanceCommand(url: string, results: string): { command: string; args: string[] } {
  const script = fileURLToPath(import.meta.resolve('@modelcontextprotocol/conformance/dist/index.js'));
  return { command: process.execPath, args: [script, 'server', '--url', url, '--output-dir', results] };
}
