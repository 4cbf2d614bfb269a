/** A form that a person fills in and sends or leaves: what was wrong with it stands above its buttons. */
import type { ComponentChildren } from 'preact';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';

interface FormProps {
  /** Word on the button that sends it. */
  readonly confirm: string;
  readonly submit: () => Promise<void> | void;
  readonly cancel: () => void;
  readonly error?: string | null;
  readonly disabled?: boolean;
  /** Its accessible name; a dialog has a title instead. */
  readonly label?: string;
  readonly class?: string;
  readonly children: ComponentChildren;
}

export function Form(props: FormProps) {
  const { confirm, submit, cancel, error = null, disabled = false, label } = props;
  return (
    <form
      class={`stack ${props.class ?? ''}`.trim()}
      aria-label={label}
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      {props.children}
      <FormError error={error} />
      <div class="dialog-actions">
        <Button onClick={cancel}>Cancel</Button>
        <Button submit kind="primary" disabled={disabled}>
          {confirm}
        </Button>
      </div>
    </form>
  );
}

export function FormError({ error }: { readonly error: string | null }) {
  return error === null ? null : (
    <p class="form-error" role="alert">
      {error}
    </p>
  );
}

interface FormDialogProps extends Omit<FormProps, 'label' | 'class'> {
  readonly title: string;
  readonly wide?: boolean;
}

export function FormDialog({ title, wide = false, ...form }: FormDialogProps) {
  return (
    <Dialog title={title} onClose={form.cancel} wide={wide}>
      <Form {...form} />
    </Dialog>
  );
}
