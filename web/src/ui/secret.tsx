/** A secret that is shown once, with a way to copy it. */
import { useRef, useState } from 'preact/hooks';
import { announce } from '../state/notices.ts';
import { Button } from './button.tsx';

export function Secret({ value, name }: { readonly value: string; readonly name: string }) {
  const [copied, setCopied] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  /** Without https, or without leave, the browser has no clipboard: what is selected can be copied by hand. */
  const copy = async (): Promise<void> => {
    field.current?.select();
    try {
      await navigator.clipboard.writeText(value);
      setCopied(true);
    } catch {
      announce('It is selected: copy it with the keyboard');
    }
  };
  return (
    <div class="secret">
      <input
        ref={field}
        readOnly
        value={value}
        aria-label={name}
        onFocus={({ currentTarget }) => currentTarget.select()}
      />
      <Button onClick={() => void copy()}>{copied ? 'Copied' : 'Copy'}</Button>
    </div>
  );
}
