/** A secret that is shown once, with a way to copy it. */
import { useState } from 'preact/hooks';
import { Button } from './button.tsx';

export function Secret({ value, name }: { readonly value: string; readonly name: string }) {
  const [copied, setCopied] = useState(false);
  return (
    <div class="secret">
      <input
        readOnly
        value={value}
        aria-label={name}
        onFocus={({ currentTarget }) => currentTarget.select()}
      />
      <Button
        onClick={() => {
          void navigator.clipboard.writeText(value).then(() => setCopied(true));
        }}
      >
        {copied ? 'Copied' : 'Copy'}
      </Button>
    </div>
  );
}
