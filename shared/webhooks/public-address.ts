/** Which addresses a webhook may be sent to. Everything that is not a public host is refused, whatever its notation. */
import ipaddr from 'ipaddr.js';

/**
 * `public`: https to public addresses. `loopback`: that, and http or https to this machine, for receivers under
 * development.
 */
export const TARGETS = ['public', 'loopback'] as const;
export type Targets = (typeof TARGETS)[number];

/** @throws Error for any other text: a misspelt setting must not open anything. */
export function parseTargets(text: string): Targets {
  const found = TARGETS.find((targets) => targets === text);
  if (found === undefined)
    throw new Error(`WEBHOOK_TARGETS is "${text}" and must be ${TARGETS.join(' or ')}.`);
  return found;
}

/** The top three bits of 2000::/3, the only part of IPv6 that is given out to hosts, in its first byte. */
const GLOBAL_UNICAST_MASK = 0b1110_0000;
const GLOBAL_UNICAST = 0b0010_0000;

/**
 * True for an IP address that may be connected to. An IPv4 address mapped into IPv6 counts as what it is; private
 * networks, link-local (instance metadata), carrier NAT, documentation, 6to4, NAT64 and the rest are no hosts.
 */
export function isAllowedAddress(address: string, targets: Targets): boolean {
  if (!ipaddr.isValid(address)) return false;
  const ip = ipaddr.process(address);
  if (ip.range() === 'loopback') return targets === 'loopback';
  // Where ipaddr.js knows of no purpose it says unicast, of the long abandoned `::127.0.0.1` too.
  return ip.range() === 'unicast' && (ip.kind() === 'ipv4' || isGlobalUnicast(ip.toByteArray()));
}

function isGlobalUnicast([first = 0]: readonly number[]): boolean {
  return (first & GLOBAL_UNICAST_MASK) === GLOBAL_UNICAST;
}

/** True for an IP address of this machine. */
export function isLoopbackAddress(address: string): boolean {
  return ipaddr.isValid(address) && ipaddr.process(address).range() === 'loopback';
}
