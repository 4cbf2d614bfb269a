/** The messages of a request: read as JSON-RPC wants them refused, and named for the log. */
import { ProtocolErrorCode } from '@modelcontextprotocol/server';
import { isProblem, withoutSecrets, type Problem } from '../../shared/errors.ts';
import { isArray, isObject } from '../../shared/json-schema/json.ts';
import type { LogFields } from '../http/log.ts';
import { parseJson } from '../http/parse-json.ts';

/** Revisions before 2025-06-18 may send several messages at once; each is a call of its own to the table. */
const BATCH_MAX = 20;
const TEXT_LOGGED = 200;

export type Messages = { readonly body: unknown } | { readonly refused: Response };

/** @param bytes A body within the request's bound. */
export function readMessages(bytes: Buffer): Messages {
  try {
    const body = parseJson(bytes);
    if (!isArray(body) || body.length <= BATCH_MAX) return { body };
    const why = `A batch takes ${BATCH_MAX} messages at most, and this one has ${body.length}.`;
    return { refused: rpcError(ProtocolErrorCode.InvalidRequest, why) };
  } catch (error) {
    if (isProblem(error)) return { refused: rpcError(codeOf(error), error.message) };
    throw error;
  }
}

function codeOf({ code }: Problem): ProtocolErrorCode {
  return code === 'malformed_json' ? ProtocolErrorCode.ParseError : ProtocolErrorCode.InvalidParams;
}

function rpcError(code: ProtocolErrorCode, message: string): Response {
  return Response.json({ jsonrpc: '2.0', id: null, error: { code, message } }, { status: 400 });
}

/** What the request's line says of its messages. */
export function describeMessages(body: unknown): LogFields {
  if (isArray(body)) return { rpc: 'batch', messages: body.length };
  if (!isObject(body)) return {};
  const name = isObject(body['params']) ? body['params']['name'] : undefined;
  return { ...shown('rpc', body['method']), ...shown('tool', name) };
}

function shown(field: string, name: unknown): LogFields {
  return typeof name === 'string' ? { [field]: logged(name) } : {};
}

/** Text from outside, as the log may keep it. */
export function logged(text: string): string {
  return withoutSecrets(text).slice(0, TEXT_LOGGED);
}
