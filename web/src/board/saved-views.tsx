/** Filters by name: one click to each, a form to save the one that is set. */
import { useState } from 'preact/hooks';
import { announce } from '../state/notices.ts';
import { boardPath, Link } from '../state/router.tsx';
import { deleteView, LONGEST_NAME, saveView, viewsOf, type SavedView } from '../state/saved-views.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { FormDialog } from '../ui/form-dialog.tsx';
import { useBoard } from './context.ts';
import { filterQuery } from './filters.ts';

/** Nothing where there are none. */
export function SavedViews() {
  const { store } = useBoard();
  const views = viewsOf(store.slug);
  return views.length === 0 ? null : (
    <nav class="views" aria-label="Saved views">
      <ul>
        {views.map((view) => (
          <Chip key={view.name} slug={store.slug} view={view} />
        ))}
      </ul>
    </nav>
  );
}

function Chip({ slug, view }: { readonly slug: string; readonly view: SavedView }) {
  const current = view.query === filterQuery.value;
  const remove = (): void => {
    deleteView(slug, view.name);
    announce(`View ${view.name} deleted`);
    // What had the focus is gone.
    requestAnimationFrame(() => {
      const next = document.querySelector<HTMLElement>('.views a') ?? document.getElementById('search');
      next?.focus();
    });
  };
  return (
    <li class="view-chip">
      <Link to={`${boardPath(slug)}?${view.query}`} aria-current={current ? 'true' : undefined}>
        {view.name}
      </Link>
      <IconButton icon="close" name={`Delete view ${view.name}`} onClick={remove} />
    </li>
  );
}

/** Offered while a filter is set that has no name yet. */
export function SaveView() {
  const { store } = useBoard();
  const [naming, setNaming] = useState(false);
  const query = filterQuery.value;
  if (query === '' || viewsOf(store.slug).some((view) => view.query === query)) return null;
  return (
    <>
      <Button kind="quiet" icon="plus" onClick={() => setNaming(true)}>
        Save view
      </Button>
      {naming ? <NameView query={query} close={() => setNaming(false)} /> : null}
    </>
  );
}

function NameView({ query, close }: { readonly query: string; readonly close: () => void }) {
  const { store } = useBoard();
  const [text, setText] = useState('');
  const name = text.trim();
  const taken = viewsOf(store.slug).some((view) => view.name === name);
  const save = (): void => {
    saveView(store.slug, { name, query });
    announce(`View ${name} saved`);
    close();
  };
  return (
    <FormDialog title="Save this view" confirm="Save" submit={save} cancel={close} disabled={name === ''}>
      <label class="field">
        <span>Name</span>
        <input
          required
          maxLength={LONGEST_NAME}
          value={text}
          onInput={({ currentTarget }) => setText(currentTarget.value)}
        />
      </label>
      <p class="faint" role="status">
        {taken
          ? 'It replaces the view of that name.'
          : 'Kept in this browser. To show it to others, send its address.'}
      </p>
    </FormDialog>
  );
}
