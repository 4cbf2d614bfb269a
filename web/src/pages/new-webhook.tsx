/** The form of a new webhook. */
import { useState } from 'preact/hooks';
import type { WebhookWithSecret } from '../../../client/types.ts';
import { useBoard } from '../board/context.ts';
import { reasonOf } from '../state/notices.ts';
import { api } from '../state/session.ts';
import { FormDialog } from '../ui/form-dialog.tsx';

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
    <FormDialog title="New webhook" confirm="Create" submit={create} cancel={close} error={error}>
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
    </FormDialog>
  );
}
