/** Editing a card. Somebody else's change meanwhile is shown, and nothing of it is overwritten unseen. */
import { useState } from 'preact/hooks';
import { isLeaseboardError } from '../../../client/errors.ts';
import type { Card } from '../../../client/types.ts';
import { useBoard } from '../board/context.ts';
import { useDraft } from '../state/draft.ts';
import { reasonOf } from '../state/notices.ts';
import { api, endedBy } from '../state/session.ts';
import { Button } from '../ui/button.tsx';
import { Form } from '../ui/form-dialog.tsx';
import { CardFormFields, changedFields, valuesOf, type FormValues } from './fields.tsx';

interface EditFormProps {
  readonly card: Card;
  readonly done: () => void;
  readonly reload: () => void;
}

export function EditForm({ card, done, reload }: EditFormProps) {
  const { store } = useBoard();
  // What the person began with: news about the card must not move under their hands.
  const draft = useDraft(`edit ${card.id}`, () => ({ base: card, values: valuesOf(card) }));
  const { base, values } = draft.value;
  const [error, setError] = useState<string | null>(null);
  const [conflict, setConflict] = useState<Card | null>(null);
  const [busy, setBusy] = useState(false);

  const leave = (): void => {
    draft.drop();
    done();
  };
  const save = async (on: Card): Promise<void> => {
    setBusy(true);
    setError(null);
    try {
      const patch = changedFields(valuesOf(base), values);
      if (Object.keys(patch).length > 0) {
        store.takeAnswer(await api().cards.update(card.id, patch, { ifMatch: on.rev }));
      }
      reload();
      leave();
    } catch (failure) {
      if (isLeaseboardError(failure, 'stale_revision')) setConflict(await api().cards.get(card.id));
      else if (!endedBy(failure)) setError(reasonOf(failure));
    } finally {
      setBusy(false);
    }
  };
  return (
    <Form
      class="drawer-body edit-form"
      label={`Edit ${card.key}`}
      confirm="Save"
      submit={async () => save(base)}
      cancel={leave}
      error={error}
      disabled={busy || values.title.trim() === ''}
    >
      <h2>Edit {card.key}</h2>
      {conflict === null ? null : (
        <Conflict
          mine={values}
          base={base}
          theirs={conflict}
          takeTheirs={() => {
            draft.set({ base: conflict, values: valuesOf(conflict) });
            setConflict(null);
          }}
          keepMine={() => {
            setConflict(null);
            void save(conflict);
          }}
        />
      )}
      <CardFormFields
        values={values}
        set={(change) => draft.set({ base, values: { ...values, ...change } })}
      />
    </Form>
  );
}

interface ConflictProps {
  readonly base: Card;
  readonly mine: FormValues;
  readonly theirs: Card;
  readonly takeTheirs: () => void;
  readonly keepMine: () => void;
}

/** Field by field what they have made of it; only the fields that the person has touched would be written. */
function Conflict({ base, mine, theirs, takeTheirs, keepMine }: ConflictProps) {
  const before = valuesOf(base);
  const now = valuesOf(theirs);
  const names = (Object.keys(now) as (keyof FormValues)[]).filter((name) => now[name] !== before[name]);
  return (
    <section class="conflict" role="alert">
      <h3>Somebody has changed this card meanwhile</h3>
      {names.length === 0 ? <p>They moved it; what you edit here is as it was.</p> : null}
      <dl>
        {names.map((name) => (
          <div key={name}>
            <dt>
              {name}
              {mine[name] === before[name] ? '' : ' (you changed it too)'}
            </dt>
            <dd>{String(now[name]).slice(0, 300) || 'empty'}</dd>
          </div>
        ))}
      </dl>
      <div class="dialog-actions">
        <Button small onClick={takeTheirs}>
          Drop my changes
        </Button>
        <Button small kind="primary" onClick={keepMine}>
          Save my fields on top
        </Button>
      </div>
    </section>
  );
}
