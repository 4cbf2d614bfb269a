/** X-Ray's endpoint for OpenTelemetry: OTLP over HTTP as JSON, signed like any call of AWS. No SDK. */
import { fromEnv } from '@aws-sdk/credential-provider-env';
import { SignatureV4 } from '@smithy/signature-v4';
import type { Deps } from '../deps.ts';
import { Sha256 } from './sha256.ts';

const TIMEOUT_MS = 10_000;
/** Of a refusal, for the log. */
const EXCERPT_CHARACTERS = 500;

export interface TracesOptions {
  /** `https://xray.<region>.amazonaws.com/v1/traces` */
  readonly url: string;
  readonly region?: string;
  readonly deps: Pick<Deps, 'now'>;
}

/** @throws Error with what the endpoint said, when it does not take them. */
export function putSpans({
  url,
  deps,
  region = regionOf(url),
}: TracesOptions): (spans: object) => Promise<void> {
  const { protocol, host, pathname } = new URL(url);
  const signer = new SignatureV4({ service: 'xray', region, credentials: fromEnv(), sha256: Sha256 });
  return async (spans) => {
    const body = JSON.stringify(spans);
    const headers = { host, 'content-type': 'application/json' };
    const request = { method: 'POST', protocol, hostname: host, path: pathname, headers, body };
    const signed = await signer.sign(request, { signingDate: new Date(deps.now()) });
    const { host: _host, ...sent } = signed.headers;
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const response = await fetch(url, { method: 'POST', headers: sent, body, signal });
    if (response.ok) return;
    const said = (await response.text()).slice(0, EXCERPT_CHARACTERS);
    throw new Error(`X-Ray took no spans: ${response.status} ${said}`);
  };
}

/** The second label of an endpoint's name. */
function regionOf(url: string): string {
  return new URL(url).hostname.split('.')[1] ?? '';
}
