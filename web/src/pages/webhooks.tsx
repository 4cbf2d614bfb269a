/** Where the board's events are sent, and how that goes. */
import { useState } from 'preact/hooks';
import type { Webhook, WebhookWithSecret } from '../../../client/types.ts';
import { useBoard } from '../board/context.ts';
import { now } from '../state/clock.ts';
import { ago } from '../state/format.ts';
import { tellError, toast } from '../state/notices.ts';
import { useResource } from '../state/resource.ts';
import { api } from '../state/session.ts';
import { Button } from '../ui/button.tsx';
import { ask, Dialog } from '../ui/dialog.tsx';
import { Secret } from '../ui/secret.tsx';
import { Empty, Failed, Loading } from '../ui/states.tsx';
import { Deliveries } from './deliveries.tsx';
import { NewWebhook } from './new-webhook.tsx';

export function WebhooksPage() {
  const { store } = useBoard();
  const { value, error, reload } = useResource(store.slug, async () => api().webhooks.list(store.slug));
  const [adding, setAdding] = useState(false);
  const [shown, setShown] = useState<WebhookWithSecret | null>(null);
  if (error !== null) return <Failed error={error} retry={reload} />;
  if (value === null) return <Loading what="webhooks" />;
  return (
    <div class="list-page">
      <div class="page-bar">
        <p class="page-summary">Every event of this board is sent, signed, until it arrives.</p>
        <Button kind="primary" icon="plus" onClick={() => setAdding(true)}>
          New webhook
        </Button>
      </div>
      {value.items.length === 0 ? (
        <Empty icon="hook" title="No webhooks">
          <p>Give an address, and what happens here is sent there within seconds.</p>
        </Empty>
      ) : null}
      <ul class="rows">
        {value.items.map((hook) => (
          <WebhookRow key={hook.id} hook={hook} changed={reload} show={setShown} />
        ))}
      </ul>
      {adding ? (
        <NewWebhook
          close={() => setAdding(false)}
          made={(hook) => {
            setAdding(false);
            setShown(hook);
            reload();
          }}
        />
      ) : null}
      {shown === null ? null : (
        <Dialog title="The webhook's secret" onClose={() => setShown(null)}>
          <p>Receivers check the signature with it. It is shown this once.</p>
          <Secret value={shown.secret} name="Secret" />
        </Dialog>
      )}
    </div>
  );
}

interface RowProps {
  readonly hook: Webhook;
  readonly changed: () => void;
  readonly show: (hook: WebhookWithSecret) => void;
}

function WebhookRow({ hook, changed, show }: RowProps) {
  const { store } = useBoard();
  const [open, setOpen] = useState(false);
  const [tests, setTests] = useState(0);
  const run = (what: string, call: () => Promise<unknown>): void => {
    call().then(changed, (error: unknown) => tellError(what, error));
  };
  const { webhooks } = api();
  return (
    <li class="row-card">
      <div class="row-head">
        <Health hook={hook} />
        <strong class="url">{hook.url}</strong>
      </div>
      <p class="faint">
        {hook.types === null ? 'Every type' : hook.types.join(', ')}
        {hook.last_delivered_at === null
          ? ' · no event delivered yet'
          : ` · last delivered ${ago(hook.last_delivered_at, now.value)}`}
        {hook.disabled_reason === null ? '' : ` · ${hook.disabled_reason.replaceAll('_', ' ')}`}
        {hook.description === null ? '' : ` · ${hook.description}`}
      </p>
      <div class="actions">
        <Button small onClick={() => setOpen(!open)} pressed={open}>
          Deliveries
        </Button>
        <Button
          small
          onClick={() =>
            run('The test was not sent', async () => {
              await webhooks.test(store.slug, hook.id);
              toast('A test is on its way', 'good');
              setOpen(true);
              setTests(tests + 1);
            })
          }
        >
          Send a test
        </Button>
        {hook.enabled ? (
          <Button
            small
            onClick={() =>
              run('It was not disabled', async () => webhooks.update(store.slug, hook.id, { enabled: false }))
            }
          >
            Disable
          </Button>
        ) : (
          <Button
            small
            onClick={() => run('It was not enabled', async () => webhooks.enable(store.slug, hook.id))}
          >
            Enable
          </Button>
        )}
        <Button
          small
          onClick={() => run('The secret was not rotated', async () => rotate(store.slug, hook, show))}
        >
          Rotate secret
        </Button>
        <Button
          small
          kind="danger"
          onClick={() => run('It was not deleted', async () => remove(store.slug, hook))}
        >
          Delete
        </Button>
      </div>
      {open ? <Deliveries key={tests} webhook={hook.id} settled={changed} /> : null}
    </li>
  );
}

function Health({ hook }: { readonly hook: Webhook }) {
  const well = hook.enabled && hook.failing_since === null;
  const word = well ? 'enabled' : hook.enabled ? 'failing' : 'disabled';
  return <span class={well ? 'outcome outcome-good' : 'outcome outcome-bad'}>{word}</span>;
}

async function rotate(slug: string, hook: Webhook, show: RowProps['show']): Promise<void> {
  const sure = await ask({
    title: 'Rotate the secret?',
    text: 'For a day both secrets sign, so that receivers can change over.',
    confirm: 'Rotate',
  });
  if (sure !== null) show(await api().webhooks.rotateSecret(slug, hook.id));
}

async function remove(slug: string, hook: Webhook): Promise<void> {
  const sure = await ask({
    title: 'Delete this webhook?',
    text: `Nothing is sent to ${hook.url} any more.`,
    confirm: 'Delete',
    kind: 'danger',
  });
  if (sure !== null) await api().webhooks.delete(slug, hook.id);
}
