/** As much of Secrets Manager as the functions use: GetSecretValue of one secret. */
import type { ServerResponse } from 'node:http';
import { listen, type ErrorLog, type LocalServer } from './http-server.ts';
import { readBody } from './request-body.ts';

/** A request names a secret and a version. */
const MAX_BODY_BYTES = 64 * 1024;

/**
 * Serves `secretString` under `secretId` on a free loopback port. It checks no signature: the id is what has to
 * be known, so one that cannot be guessed keeps other users of the machine out.
 */
export async function startSecretsEndpoint(
  secretId: string,
  secretString: string,
  logError: ErrorLog,
): Promise<LocalServer> {
  const server = await listen(0, logError);
  server.answerWith(async (request, response) => {
    const body = await readBody(request, MAX_BODY_BYTES);
    if (request.headers['x-amz-target'] !== 'secretsmanager.GetSecretValue') {
      sendError(response, 'UnknownOperationException', 'Only GetSecretValue is served here.');
    } else if (requestedId(body) === secretId) {
      const fixed = { VersionId: 'local-1', VersionStages: ['AWSCURRENT'], CreatedDate: 0 };
      const ARN = `arn:aws:secretsmanager:us-east-1:000000000000:secret:${secretId}`;
      send(response, 200, { ARN, Name: secretId, SecretString: secretString, ...fixed });
    } else {
      sendError(response, 'ResourceNotFoundException', "Secrets Manager can't find the specified secret.");
    }
  });
  return server;
}

function requestedId(body: Buffer | null): unknown {
  try {
    const value: unknown = JSON.parse(body?.toString('utf8') ?? '');
    return typeof value === 'object' && value !== null && 'SecretId' in value ? value.SecretId : null;
  } catch {
    return null;
  }
}

function sendError(response: ServerResponse, type: string, message: string): void {
  send(response, 400, { __type: type, message });
}

function send(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/x-amz-json-1.1' });
  response.end(JSON.stringify(body));
}
