/** Serves the web board beside the API, as CloudFront does for a deployment: its pages here, all else to the API. */
import type { ServerResponse } from 'node:http';
import { buildWeb, type WebFile, type WebFiles } from '../web/build.ts';
import { contentSecurityPolicy, SECURITY_HEADERS } from '../web/headers.ts';
import { CONFIG_PATH, type SignIn, type WebConfig } from '../web/sign-in.ts';
import { splitTarget } from './gateway-event.ts';
import type { Answerer } from './http-server.ts';

/** The pages that the board has addresses for; each is the same document, which reads its own address. */
const PAGE = /^\/(?:$|sign-in$|tokens$|boards(?:\/|$))/;
const FILE = /^\/(?:assets\/|favicon\.svg$)/;
/** Files of cards lie in a bucket that listens on a loopback port of its own. */
const LOCAL_UPLOADS = ['http://127.0.0.1:*'];

export interface BoardParts {
  /** Runs once, at the first page that is asked for: who uses the API alone pays nothing for it. */
  readonly build?: () => Promise<WebFiles>;
  /** Where people sign in; null: with tokens only. */
  readonly signIn?: SignIn | null;
}

/** @param api Answers what is no page of the board. */
export function withBoard(api: Answerer, { build = buildWeb, signIn = null }: BoardParts = {}): Answerer {
  const config = configFile(signIn);
  const policy = contentSecurityPolicy([...LOCAL_UPLOADS, ...signInOrigins(signIn)]);
  let built: Promise<WebFiles> | null = null;
  return async (request, response) => {
    const path = splitTarget(request.url ?? '/').rawPath;
    const reads = request.method === 'GET' || request.method === 'HEAD';
    if (!reads || !(PAGE.test(path) || FILE.test(path) || path === CONFIG_PATH))
      return api(request, response);
    request.resume();
    const headOnly = request.method === 'HEAD';
    if (path === CONFIG_PATH) return send(response, config, policy, headOnly);
    built ??= build().catch((error: unknown) => {
      // The next request builds again: the sources may have been put right meanwhile.
      built = null;
      throw error;
    });
    const files = await built;
    const file = files.get(PAGE.test(path) ? '/index.html' : path);
    if (file === undefined) return api(request, response);
    send(response, file, policy, headOnly);
  };
}

function configFile(signIn: SignIn | null): WebFile {
  const config: WebConfig = { sign_in: signIn };
  return {
    body: Buffer.from(JSON.stringify(config)),
    contentType: 'application/json; charset=utf-8',
    immutable: false,
  };
}

/** What a page calls to sign somebody in. */
function signInOrigins(signIn: SignIn | null): readonly string[] {
  if (signIn === null) return [];
  const { issuer, token_origin } = signIn;
  return [new URL(issuer).origin, ...(token_origin === null ? [] : [token_origin])];
}

function send(response: ServerResponse, file: WebFile, policy: string, headOnly: boolean): void {
  response.writeHead(200, {
    'content-type': file.contentType,
    'content-length': file.body.byteLength,
    'cache-control': file.immutable ? 'public, max-age=31536000, immutable' : 'no-cache',
    'content-security-policy': policy,
    ...SECURITY_HEADERS,
  });
  response.end(headOnly ? undefined : file.body);
}
