import { putSpans } from '../../shared/aws/traces.ts';
import { systemDeps } from '../../shared/deps.ts';
import { readEnv } from '../../shared/env.ts';
import { spansOf } from './spans.ts';

const send = putSpans({ url: readEnv('TRACES_URL'), deps: systemDeps });

/** What it throws, Lambda tries twice more; a span that is lost then is lost. */
export async function handler(event: unknown): Promise<void> {
  const spans = spansOf(event);
  if (spans !== null) await send(spans);
}
