/** Modal dialogs: the browser's own, which keeps the focus inside and gives it back; and one question at a time. */
import { signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { Button, IconButton, type Kind } from './button.tsx';

interface DialogProps {
  readonly title: string;
  readonly onClose: () => void;
  readonly wide?: boolean;
  readonly children: ComponentChildren;
}

export function Dialog({ title, onClose, wide = false, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useEffect(() => {
    const element = dialog.current;
    element?.showModal();
    // The browser would begin with the button that closes it.
    element?.querySelector<HTMLElement>('form input, form select, form textarea')?.focus();
    return () => element?.close();
  }, []);
  return (
    <dialog
      ref={dialog}
      class={wide ? 'dialog dialog-wide' : 'dialog'}
      aria-labelledby={titleId}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onMouseDown={(event) => {
        if (event.target === dialog.current) onClose();
      }}
    >
      <div class="dialog-box">
        <header class="dialog-head">
          <h2 id={titleId}>{title}</h2>
          <IconButton icon="close" name="Close" onClick={onClose} />
        </header>
        {children}
      </div>
    </dialog>
  );
}

interface Question {
  readonly title: string;
  readonly text: string;
  readonly confirm: string;
  readonly kind: Kind;
  /** Label of a text that has to be given; null asks for none. */
  readonly reason: string | null;
  readonly reasonOptional?: boolean;
  readonly suggestion?: string;
  readonly answer: (given: string | null) => void;
}

const question = signal<Question | null>(null);

/** Asks; resolves with the reason given ('' where none was asked for), or null when the person thought better. */
export async function ask(
  asked: Omit<Question, 'answer' | 'kind' | 'reason'> & { kind?: Kind; reason?: string | null },
): Promise<string | null> {
  const { promise, resolve } = Promise.withResolvers<string | null>();
  question.value = {
    kind: 'primary',
    reason: null,
    ...asked,
    answer: (given) => {
      question.value = null;
      resolve(given);
    },
  };
  return promise;
}

export function Asked() {
  const asked = question.value;
  return asked === null ? null : <AskedDialog key={asked.title} asked={asked} />;
}

function AskedDialog({ asked }: { readonly asked: Question }) {
  const [text, setText] = useState(asked.suggestion ?? '');
  const needed = asked.reason !== null && asked.reasonOptional !== true;
  return (
    <Dialog title={asked.title} onClose={() => asked.answer(null)}>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          asked.answer(text.trim());
        }}
      >
        <p>{asked.text}</p>
        {asked.reason === null ? null : (
          <label class="field">
            <span>{asked.reason}</span>
            <textarea
              rows={2}
              maxLength={900}
              required={needed}
              value={text}
              onInput={(event) => setText(event.currentTarget.value)}
            />
          </label>
        )}
        <div class="dialog-actions">
          <Button onClick={() => asked.answer(null)}>Cancel</Button>
          <Button submit kind={asked.kind} disabled={needed && text.trim() === ''}>
            {asked.confirm}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
