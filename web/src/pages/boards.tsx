/** The boards, and a way to make one. */
import { useState } from 'preact/hooks';
import type { Board } from '../../../client/types.ts';
import { dateTime } from '../state/format.ts';
import { reasonOf } from '../state/notices.ts';
import { useResource, type Resource } from '../state/resource.ts';
import { boardPath, go, Link } from '../state/router.tsx';
import { api, may } from '../state/session.ts';
import { Button } from '../ui/button.tsx';
import { FormDialog } from '../ui/form-dialog.tsx';
import { Icon } from '../ui/icon.tsx';
import { Empty, Failed, Loading } from '../ui/states.tsx';
import { BoardVitals } from './board-vitals.tsx';

const PAGE = 100;

export function useBoards(): Resource<readonly Board[]> {
  return useResource('boards', async () => (await api().boards.list({ limit: PAGE })).items);
}

export function BoardsPage() {
  const { value, error, reload } = useBoards();
  const [adding, setAdding] = useState(false);
  return (
    <main class="page" id="main">
      <header class="board-head">
        <div class="board-title">
          <h1>Boards</h1>
          <span class="spring" />
          {may('admin') ? (
            <Button kind="primary" icon="plus" onClick={() => setAdding(true)}>
              New board
            </Button>
          ) : null}
        </div>
      </header>
      {error === null ? null : <Failed error={error} retry={reload} />}
      {value === null && error === null ? <Loading what="boards" /> : null}
      {value?.length === 0 ? (
        <Empty icon="board" title="No boards yet">
          <p>A board has columns. A column with a contract is a queue that agents work off.</p>
        </Empty>
      ) : null}
      <ul class="board-grid">
        {value?.map((board) => (
          <li key={board.id}>
            <Link class="board-card" to={boardPath(board.slug)}>
              <span class="board-card-head">
                <span class="board-icon">{board.icon ?? <Icon name="board" size={20} />}</span>
                <strong>{board.name}</strong>
              </span>
              <span class="board-card-text">{board.description ?? 'No description'}</span>
              <BoardVitals slug={board.slug} />
              <span class="faint">
                {board.slug} · since {dateTime(board.created_at)}
              </span>
            </Link>
          </li>
        ))}
      </ul>
      {adding ? <NewBoard close={() => setAdding(false)} /> : null}
    </main>
  );
}

function NewBoard({ close }: { readonly close: () => void }) {
  const [name, setName] = useState('');
  const [description, setDescription] = useState('');
  const [template, setTemplate] = useState<'default' | 'empty'>('default');
  const [error, setError] = useState<string | null>(null);
  const create = async (): Promise<void> => {
    try {
      const about = description.trim() === '' ? {} : { description: description.trim() };
      const board = await api().boards.create({ name: name.trim(), template, ...about });
      close();
      go(boardPath(board.slug));
    } catch (failure) {
      setError(reasonOf(failure));
    }
  };
  return (
    <FormDialog
      title="New board"
      confirm="Create"
      submit={create}
      cancel={close}
      error={error}
      disabled={name.trim() === ''}
    >
      <label class="field">
        <span>Name</span>
        <input required value={name} onInput={({ currentTarget }) => setName(currentTarget.value)} />
      </label>
      <label class="field">
        <span>Description</span>
        <input value={description} onInput={({ currentTarget }) => setDescription(currentTarget.value)} />
      </label>
      <label class="field">
        <span>Columns</span>
        <select
          value={template}
          onChange={({ currentTarget }) => setTemplate(currentTarget.value === 'empty' ? 'empty' : 'default')}
        >
          <option value="default">Triage, To do, Ready and Review as queues, Blocked, Done</option>
          <option value="empty">None</option>
        </select>
      </label>
    </FormDialog>
  );
}
