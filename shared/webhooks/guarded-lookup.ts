/**
 * The lookup that every connection of the sender goes through: the addresses it checks are the ones connected to, so
 * a name that answers differently the second time gains nothing.
 */
import { lookup as systemLookup, type LookupAddress, type LookupOptions } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { isAllowedAddress, type Targets } from './public-address.ts';

/** All addresses of a name, as the system resolves it. */
export type Resolve = (
  hostname: string,
  options: { readonly all: true; readonly family: number },
  done: (error: Error | null, addresses: LookupAddress[]) => void,
) => void;

/** A target that must not be connected to. Its message names the host and never what it resolved to. */
export class TargetRefused extends Error {
  override readonly name = 'TargetRefused';
}

/** Refuses a name as soon as one of its addresses is not allowed: which of them is connected to is not ours to say. */
export function guardedLookup(targets: Targets, resolve: Resolve = systemLookup): LookupFunction {
  return (hostname, options, done) => {
    resolve(hostname, { all: true, family: familyOf(options) }, (error, addresses) => {
      if (error !== null) return done(error, '', 0);
      const [first] = addresses;
      if (first === undefined || !addresses.every(({ address }) => isAllowedAddress(address, targets))) {
        return done(new TargetRefused(`'${hostname}' is not a public host`), '', 0);
      }
      if (options.all === true) done(null, addresses);
      else done(null, first.address, first.family);
    });
  };
}

function familyOf({ family }: LookupOptions): number {
  if (family === 'IPv4') return 4;
  if (family === 'IPv6') return 6;
  return family ?? 0;
}
