/** What a webhook was sent, and how each attempt went. */
import { useEffect, useState } from 'preact/hooks';
import type { Delivery } from '../../../client/types.ts';
import { useBoard } from '../board/context.ts';
import { dateTime } from '../state/format.ts';
import { tellError } from '../state/notices.ts';
import { useResource } from '../state/resource.ts';
import { api } from '../state/session.ts';
import { Button } from '../ui/button.tsx';
import { Failed, Loading } from '../ui/states.tsx';

/** How a delivery goes is seen within a second or two, or else hours later, when it is tried again. */
const LOOK_MS = 2_000;
const LOOKS = 10;

interface DeliveriesProps {
  readonly webhook: string;
  /** What was on its way has arrived, or was given up. */
  readonly settled: () => void;
}

export function Deliveries({ webhook, settled }: DeliveriesProps) {
  const { store } = useBoard();
  const { value, error, reload } = useResource(webhook, async () =>
    api().webhooks.deliveries(store.slug, webhook),
  );
  const [looks, setLooks] = useState(0);
  const waiting = value !== null && value.items.some(({ status }) => status === 'pending');
  useEffect(() => {
    if (value === null || value.items.length === 0) return;
    if (!waiting) return settled();
    if (looks >= LOOKS) return;
    const timer = setTimeout(() => {
      setLooks(looks + 1);
      reload();
    }, LOOK_MS);
    return () => clearTimeout(timer);
  }, [value, waiting]);
  const lookAnew = (): void => {
    setLooks(0);
    reload();
  };
  if (error !== null && value === null) return <Failed error={error} retry={reload} />;
  if (value === null) return <Loading what="deliveries" />;
  return (
    <>
      {value.items.length === 0 ? <p class="faint">Nothing sent yet.</p> : null}
      <ul class="deliveries">
        {value.items.map((delivery) => (
          <DeliveryRow key={delivery.id} delivery={delivery} changed={lookAnew} />
        ))}
      </ul>
      <Button small icon="back" onClick={lookAnew}>
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
