/** What the address of a webhook alone shows: refused when it is created or changed, and again at each attempt. */
import { isIP } from 'node:net';
import { isAllowedAddress, isLoopbackAddress, type Targets } from './public-address.ts';

const HTTPS_PORT = 443;
/** Below it are the services of machines (SSH, mail, SMB), none of which receives webhooks. */
const FIRST_FREE_PORT = 1_024;

/** An IP address in a URL stands in brackets when it is IPv6. */
function hostOf(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, '');
}

/** What is wrong with a target, as a sentence that goes on from its field's name; null when nothing is. */
export function targetFault(text: string, targets: Targets): string | null {
  const url = URL.parse(text);
  if (url === null) return 'must be an absolute URL, as https://hooks.example.com/leaseboard';
  const host = hostOf(url);
  const local = targets === 'loopback' && isLocalHost(host);
  if (url.protocol !== 'https:' && !(local && url.protocol === 'http:')) {
    return targets === 'loopback' ? 'must be https, or http to this machine' : 'must be https';
  }
  if (url.username !== '' || url.password !== '') return 'must not hold a user name or a password';
  if (url.hash !== '') return 'must not have a fragment: it would never be sent';
  const port = url.port === '' ? (url.protocol === 'https:' ? HTTPS_PORT : 80) : Number(url.port);
  if (port !== HTTPS_PORT && port < FIRST_FREE_PORT) {
    return `must use port ${HTTPS_PORT} or one from ${FIRST_FREE_PORT} on, not ${port}`;
  }
  return local ? null : hostFault(host, targets);
}

/** URL parsing has turned every notation of an IPv4 address (decimal, octal, hexadecimal, short) into the usual one. */
function hostFault(host: string, targets: Targets): string | null {
  if (isIP(host) !== 0) {
    return isAllowedAddress(host, targets) ? null : `must be a public host, and ${host} is no public address`;
  }
  if (isLocalHost(host) || !host.includes('.')) return `must be a public host, and '${host}' names none`;
  return null;
}

/** Names of this machine, and its addresses. Other names are known only by what they resolve to. */
function isLocalHost(host: string): boolean {
  return /(^|\.)localhost\.?$/.test(host) || isLoopbackAddress(host);
}
