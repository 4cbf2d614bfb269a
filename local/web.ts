/** Serves the web board beside the API, as CloudFront does for a deployment: its pages here, all else to the API. */
import type { ServerResponse } from 'node:http';
import { buildWeb, type WebFile, type WebFiles } from '../web/build.ts';
import { contentSecurityPolicy, SECURITY_HEADERS } from '../web/headers.ts';
import { splitTarget } from './gateway-event.ts';
import type { Answerer } from './http-server.ts';

/** The pages that the board has addresses for; each is the same document, which reads its own address. */
const PAGE = /^\/(?:$|sign-in$|tokens$|boards(?:\/|$))/;
const FILE = /^\/(?:assets\/|favicon\.svg$)/;
/** Files of cards lie in a bucket that listens on a loopback port of its own. */
const LOCAL_UPLOADS = ['http://127.0.0.1:*'];

/**
 * @param api Answers what is no page of the board.
 * @param build Runs once, at the first page that is asked for: who uses the API alone pays nothing for it.
 */
export function withBoard(api: Answerer, build: () => Promise<WebFiles> = buildWeb): Answerer {
  let built: Promise<WebFiles> | null = null;
  return async (request, response) => {
    const path = splitTarget(request.url ?? '/').rawPath;
    const reads = request.method === 'GET' || request.method === 'HEAD';
    if (!reads || !(PAGE.test(path) || FILE.test(path))) return api(request, response);
    request.resume();
    built ??= build().catch((error: unknown) => {
      // The next request builds again: the sources may have been put right meanwhile.
      built = null;
      throw error;
    });
    const files = await built;
    const file = files.get(PAGE.test(path) ? '/index.html' : path);
    if (file === undefined) return api(request, response);
    send(response, file, request.method === 'HEAD');
  };
}

function send(response: ServerResponse, file: WebFile, headOnly: boolean): void {
  response.writeHead(200, {
    'content-type': file.contentType,
    'content-length': file.body.byteLength,
    'cache-control': file.immutable ? 'public, max-age=31536000, immutable' : 'no-cache',
    'content-security-policy': contentSecurityPolicy(LOCAL_UPLOADS),
    ...SECURITY_HEADERS,
  });
  response.end(headOnly ? undefined : file.body);
}
