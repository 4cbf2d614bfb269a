/** What a page shows while it loads, when it failed, and when there is nothing. */
import type { ComponentChildren } from 'preact';
import { Button } from './button.tsx';
import { Icon, type IconName } from './icon.tsx';

interface EmptyProps {
  readonly icon: IconName;
  readonly title: string;
  readonly children?: ComponentChildren;
}

export function Empty({ icon, title, children }: EmptyProps) {
  return (
    <div class="empty">
      <span class="empty-icon">
        <Icon name={icon} size={28} />
      </span>
      <h2>{title}</h2>
      {children}
    </div>
  );
}

export function Loading({ what }: { readonly what: string }) {
  return (
    <div class="loading" role="status">
      <span class="spinner" aria-hidden="true" />
      Loading {what}…
    </div>
  );
}

export function Failed({ error, retry }: { readonly error: string; readonly retry: () => void }) {
  return (
    <div class="failed" role="alert">
      <p>{error}</p>
      <Button icon="back" onClick={retry}>
        Try again
      </Button>
    </div>
  );
}
