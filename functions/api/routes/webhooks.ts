/** Webhooks and what was sent to them. None may be repeated under a key: the answers that show a secret are given once. */
import {
  CreateWebhookBody,
  ListDeliveriesQuery,
  ListWebhooksQuery,
  PatchWebhookBody,
  RecoverBody,
  RotateSecretBody,
} from '../../../shared/schemas/webhooks.ts';
import { createWebhook } from '../../../shared/verbs/create-webhook.ts';
import { deleteWebhook } from '../../../shared/verbs/delete-webhook.ts';
import { enableWebhook } from '../../../shared/verbs/enable-webhook.ts';
import { getWebhook } from '../../../shared/verbs/get-webhook.ts';
import { listDeliveries } from '../../../shared/verbs/list-deliveries.ts';
import { listWebhooks } from '../../../shared/verbs/list-webhooks.ts';
import { patchWebhook } from '../../../shared/verbs/patch-webhook.ts';
import { recover } from '../../../shared/verbs/recover.ts';
import { redeliver } from '../../../shared/verbs/redeliver.ts';
import { rotateSecret } from '../../../shared/verbs/rotate-secret.ts';
import { testWebhook } from '../../../shared/verbs/test-webhook.ts';
import { NoFields, route, type Route } from '../../http/route.ts';

const WEBHOOKS = '/v1/boards/{board}/webhooks';
const WEBHOOK = `${WEBHOOKS}/{webhook}` as const;
const scope = 'admin';

export const webhookRoutes: readonly Route[] = [
  route({ method: 'POST', path: WEBHOOKS, scope, body: CreateWebhookBody, status: 201, verb: createWebhook }),
  route({ method: 'GET', path: WEBHOOKS, scope, query: ListWebhooksQuery, verb: listWebhooks }),
  route({ method: 'GET', path: WEBHOOK, scope, verb: getWebhook }),
  route({ method: 'PATCH', path: WEBHOOK, scope, body: PatchWebhookBody, verb: patchWebhook }),
  route({ method: 'DELETE', path: WEBHOOK, scope, status: 204, verb: deleteWebhook }),
  route({
    method: 'POST',
    path: `${WEBHOOK}:rotate-secret`,
    scope,
    body: RotateSecretBody,
    verb: rotateSecret,
  }),
  route({ method: 'POST', path: `${WEBHOOK}:test`, scope, body: NoFields, verb: testWebhook }),
  route({ method: 'POST', path: `${WEBHOOK}:enable`, scope, body: NoFields, verb: enableWebhook }),
  route({ method: 'POST', path: `${WEBHOOK}:recover`, scope, body: RecoverBody, verb: recover }),
  route({
    method: 'GET',
    path: `${WEBHOOK}/deliveries`,
    scope,
    query: ListDeliveriesQuery,
    verb: listDeliveries,
  }),
  route({
    method: 'POST',
    path: '/v1/deliveries/{delivery}:redeliver',
    scope,
    body: NoFields,
    verb: redeliver,
  }),
];
