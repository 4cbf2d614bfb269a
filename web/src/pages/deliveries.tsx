/** What a webhook was sent, and how each attempt went. */
import type { Delivery } from '../../../client/types.ts';
import { useBoard } from '../board/context.ts';
import { dateTime } from '../state/format.ts';
import { tellError } from '../state/notices.ts';
import { useResource } from '../state/resource.ts';
import { api } from '../state/session.ts';
import { Button } from '../ui/button.tsx';
import { Failed, Loading } from '../ui/states.tsx';

export function Deliveries({ webhook }: { readonly webhook: string }) {
  const { store } = useBoard();
  const { value, error, reload } = useResource(webhook, async () =>
    api().webhooks.deliveries(store.slug, webhook),
  );
  if (error !== null) return <Failed error={error} retry={reload} />;
  if (value === null) return <Loading what="deliveries" />;
  if (value.items.length === 0) return <p class="faint">Nothing sent yet.</p>;
  return (
    <>
      <ul class="deliveries">
        {value.items.map((delivery) => (
          <DeliveryRow key={delivery.id} delivery={delivery} changed={reload} />
        ))}
      </ul>
      <Button small icon="back" onClick={reload}>
        Look again
      </Button>
    </>
  );
}

function DeliveryRow({ delivery, changed }: { readonly delivery: Delivery; readonly changed: () => void }) {
  const last = delivery.attempts.at(-1);
  const tone = delivery.status === 'delivered' ? 'good' : delivery.status === 'pending' ? 'lit' : 'bad';
  return (
    <li>
      <span class={`outcome outcome-${tone}`}>{delivery.status}</span>
      <code>{delivery.type}</code>
      <span class="faint">{dateTime(delivery.created_at)}</span>
      <span>
        {last === undefined ? '' : (last.error ?? `${last.status_code} in ${last.duration_ms} ms`)}
        {delivery.attempts.length > 1 ? `, ${delivery.attempts.length} attempts` : ''}
      </span>
      <Button
        small
        onClick={() => {
          api()
            .webhooks.redeliver(delivery.id)
            .then(changed, (error: unknown) => tellError('It was not sent again', error));
        }}
      >
        Send again
      </Button>
    </li>
  );
}
