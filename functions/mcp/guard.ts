/**
 * Who may send from where. A browser's page of another site could otherwise call a server on the reader's machine,
 * or under a name that it made resolve to that machine (DNS rebinding).
 */
import {
  localhostAllowedHostnames,
  validateHostHeader,
  validateOriginHeader,
} from '@modelcontextprotocol/server';
import { problem } from '../../shared/errors.ts';
import type { HttpRequest } from '../http/read-request.ts';

/** @throws Problem `forbidden` for a `Host` or an `Origin` that is not the gateway's own. */
export function mustBeOwnSite(request: HttpRequest): void {
  const loopback = localhostAllowedHostnames();
  const names = loopback.includes(request.domain) ? loopback : [request.domain];
  if (!validateHostHeader(request.header('host'), names).ok) {
    throw problem('forbidden', `The Host header names another server; this one is ${request.domain}.`);
  }
  if (!validateOriginHeader(request.header('origin'), names).ok) {
    throw problem(
      'forbidden',
      `The Origin header names another site. Pages of other sites may not call ${request.domain}.`,
    );
  }
}
