/** Settings of a column, and the contract that makes it a queue. */
import { useState } from 'preact/hooks';
import type { ColumnDetail } from '../../../client/types.ts';
import { useBoard } from '../board/context.ts';
import { reasonOf, tellError } from '../state/notices.ts';
import { boardPath, go } from '../state/router.tsx';
import { api, endedBy, may } from '../state/session.ts';
import { Button } from '../ui/button.tsx';
import { ask, Dialog } from '../ui/dialog.tsx';
import { ContractFields } from './contract-fields.tsx';
import { contractOf, valuesOfContract, type ContractValues } from './contract-values.ts';

export function ContractDialog({ columnId }: { readonly columnId: string }) {
  const { store } = useBoard();
  const column = store.column(columnId);
  const close = (): void => go(boardPath(store.slug));
  if (column === null) return null;
  return (
    <Dialog title={`Column ${column.name}`} onClose={close} wide>
      <ColumnForm column={column} close={close} />
    </Dialog>
  );
}

function ColumnForm({ column, close }: { readonly column: ColumnDetail; readonly close: () => void }) {
  const { store } = useBoard();
  const [name, setName] = useState(column.name);
  const [limit, setLimit] = useState(column.wip_limit === null ? '' : String(column.wip_limit));
  const [values, setValues] = useState<ContractValues>(() => valuesOfContract(column.contract));
  const [error, setError] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const save = async (): Promise<void> => {
    setBusy(true);
    setError(null);
    try {
      const contract = contractOf(column.contract, values);
      const wip_limit = limit.trim() === '' ? null : Number(limit);
      if (name !== column.name || wip_limit !== column.wip_limit) {
        await api().columns.update(store.slug, column.id, { name, wip_limit });
      }
      await api().columns.setContract(store.slug, column.id, contract);
      await store.refreshBoard();
      close();
    } catch (failure) {
      if (!endedBy(failure)) setError(reasonOf(failure));
    } finally {
      setBusy(false);
    }
  };
  return (
    <form
      class="stack"
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <fieldset disabled={!may('member')} class="stack plain-fieldset">
        <div class="field-row">
          <label class="field">
            <span>Name</span>
            <input required value={name} onInput={({ currentTarget }) => setName(currentTarget.value)} />
          </label>
          <label class="field">
            <span>Limit of cards, shown and not enforced</span>
            <input
              type="number"
              min={1}
              max={10_000}
              placeholder="None"
              value={limit}
              onInput={({ currentTarget }) => setLimit(currentTarget.value)}
            />
          </label>
        </div>
        <ContractFields
          values={values}
          set={(change) => setValues({ ...values, ...change })}
          columns={(store.board.value?.columns ?? []).filter(({ id }) => id !== column.id)}
        />
      </fieldset>
      {error === null ? null : (
        <p class="form-error" role="alert">
          {error}
        </p>
      )}
      <div class="dialog-actions">
        {may('member') ? (
          <Button kind="danger" icon="trash" onClick={() => void remove(store, column, close)}>
            Delete column
          </Button>
        ) : null}
        <span class="spring" />
        <Button onClick={close}>Cancel</Button>
        {may('member') ? (
          <Button submit kind="primary" disabled={busy}>
            Save
          </Button>
        ) : null}
      </div>
    </form>
  );
}

async function remove(
  store: ReturnType<typeof useBoard>['store'],
  column: ColumnDetail,
  close: () => void,
): Promise<void> {
  const sure = await ask({
    title: `Delete ${column.name}?`,
    text: 'Only an empty column can be deleted.',
    confirm: 'Delete column',
    kind: 'danger',
  });
  if (sure === null) return;
  try {
    await api().columns.delete(store.slug, column.id);
    close();
    await store.refreshBoard();
  } catch (error) {
    tellError(`${column.name} was not deleted`, error);
  }
}
