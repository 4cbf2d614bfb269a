/** A new card. */
import { useState } from 'preact/hooks';
import { useBoard } from '../board/context.ts';
import { creating, focusCard } from '../board/focus.ts';
import { useDraft } from '../state/draft.ts';
import { announce, reasonOf } from '../state/notices.ts';
import { api, endedBy } from '../state/session.ts';
import { FormDialog } from '../ui/form-dialog.tsx';
import { CardFormFields, EMPTY_FORM, fieldsOf, type FormValues } from './fields.tsx';

export function CreateDialog() {
  const column = creating.value;
  return column === null ? null : <CreateForm initial={column === true ? null : column} />;
}

function CreateForm({ initial }: { readonly initial: string | null }) {
  const { store } = useBoard();
  const columns = store.board.value?.columns ?? [];
  const [column, setColumn] = useState(
    initial ?? columns.find(({ queue }) => queue)?.id ?? columns[0]?.id ?? '',
  );
  const draft = useDraft<FormValues>(`new card ${store.slug}`, () => EMPTY_FORM);
  const values = draft.value;
  const [error, setError] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const close = (): void => {
    draft.drop();
    creating.value = null;
  };
  const create = async (): Promise<void> => {
    setBusy(true);
    setError(null);
    try {
      const card = await api().cards.create(store.slug, { column_id: column, ...fieldsOf(values) });
      store.takeAnswer(card);
      announce(`${card.key} created`);
      close();
      focusCard(card.id);
    } catch (failure) {
      if (!endedBy(failure)) setError(reasonOf(failure));
    } finally {
      setBusy(false);
    }
  };
  return (
    <FormDialog
      title="New card"
      confirm="Create"
      submit={create}
      cancel={close}
      error={error}
      disabled={busy || values.title.trim() === ''}
      wide
    >
      <label class="field">
        <span>Column</span>
        <select value={column} onChange={({ currentTarget }) => setColumn(currentTarget.value)}>
          {columns.map(({ id, name, queue }) => (
            <option key={id} value={id}>
              {name}
              {queue ? ' (queue)' : ''}
            </option>
          ))}
        </select>
      </label>
      <CardFormFields values={values} set={(change) => draft.set({ ...values, ...change })} />
    </FormDialog>
  );
}
