/** The form of a new webhook. */
import { useState } from 'preact/hooks';
import type { WebhookWithSecret } from '../../../client/types.ts';
import { useBoard } from '../board/context.ts';
import { reasonOf } from '../state/notices.ts';
import { api } from '../state/session.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';

interface NewWebhookProps {
  readonly close: () => void;
  readonly made: (hook: WebhookWithSecret) => void;
}

export function NewWebhook({ close, made }: NewWebhookProps) {
  const { store } = useBoard();
  const [url, setUrl] = useState('');
  const [types, setTypes] = useState('');
  const [error, setError] = useState<string | null>(null);
  const create = async (): Promise<void> => {
    const names = types
      .split(',')
      .map((type) => type.trim())
      .filter((type) => type !== '');
    try {
      made(await api().webhooks.create(store.slug, { url, ...(names.length === 0 ? {} : { types: names }) }));
    } catch (failure) {
      setError(reasonOf(failure));
    }
  };
  return (
    <Dialog title="New webhook" onClose={close}>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          void create();
        }}
      >
        <label class="field">
          <span>Address</span>
          <input
            type="url"
            required
            placeholder="https://example.com/hooks/leaseboard"
            value={url}
            onInput={({ currentTarget }) => setUrl(currentTarget.value)}
          />
        </label>
        <label class="field">
          <span>Types, with commas between; empty for all</span>
          <input
            placeholder="card.lease.completed, card.blocked"
            value={types}
            onInput={({ currentTarget }) => setTypes(currentTarget.value)}
          />
        </label>
        {error === null ? null : (
          <p class="form-error" role="alert">
            {error}
          </p>
        )}
        <div class="dialog-actions">
          <Button onClick={close}>Cancel</Button>
          <Button submit kind="primary">
            Create
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
