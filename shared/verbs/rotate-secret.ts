/** Give a webhook a new secret, shown in this answer only. The one before signs beside it until the grace is over. */
import type { Caller, Engine } from '../engine.ts';
import { problem } from '../errors.ts';
import type { RotateSecretBody } from '../schemas/webhooks.ts';
import { iso } from '../views/time.ts';
import { newSecret, sealSecret, shownSecret } from '../webhooks/secret.ts';
import { showWebhook } from '../webhooks/show.ts';
import { changeFor, type WebhookInput } from '../webhooks/webhook-for.ts';
import { isRotating, rotated } from '../webhooks/webhook.ts';
import type { CreatedWebhook } from './create-webhook.ts';
import { SECOND_MS } from '../units.ts';

/** `conflict` while an earlier rotation's grace lasts: a receiver may still hold that secret alone. */
export async function rotateSecret(
  engine: Engine,
  caller: Caller,
  input: WebhookInput & RotateSecretBody,
): Promise<CreatedWebhook> {
  const secret = newSecret(engine.deps);
  const webhook = await changeFor(engine, caller, input, (current, now) => {
    if (isRotating(current, now) && input.force !== true) {
      throw problem(
        'conflict',
        `The secret before this one signs until ${iso(current.old_secret_until ?? now)}, and a rotation would end it ` +
          'at once. Wait until then, or send `force: true`.',
      );
    }
    const sealed = sealSecret(engine.leaseKeys, current.webhook_id, secret);
    return rotated(current, sealed, input.grace_seconds * SECOND_MS, now);
  });
  return { ...(await showWebhook(engine, webhook)), secret: shownSecret(secret) };
}
