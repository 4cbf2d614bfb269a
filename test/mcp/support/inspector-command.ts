/** The official Inspector on the command line. */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export interface Inspected {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** @param args Beside the address, the transport and the token. */
export async function inspect(url: string, token: string, args: readonly string[]): Promise<Inspected> {
  const script = fileURLToPath(
    import.meta.resolve('@modelcontextprotocol/inspector/clients/launcher/build/index.js'),
  );
  const common = ['--cli', url, '--transport', 'http', '--header', `Authorization: Bearer ${token}`];
  const { promise, resolve } = Promise.withResolvers<Inspected>();
  execFile(process.execPath, [script, ...common, ...args], (error, stdout, stderr) => {
    resolve({ code: Number(error?.code ?? 0), stdout, stderr });
  });
  return promise;
}
