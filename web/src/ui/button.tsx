/** Buttons with a word, and buttons with an icon and a name. */
import type { ComponentChildren } from 'preact';
import { Icon, type IconName } from './icon.tsx';

export type Kind = 'plain' | 'primary' | 'danger' | 'quiet';

interface ButtonProps {
  readonly onClick?: ((event: MouseEvent) => void) | undefined;
  readonly kind?: Kind;
  readonly icon?: IconName;
  readonly submit?: boolean;
  readonly disabled?: boolean;
  readonly pressed?: boolean;
  readonly small?: boolean;
  readonly title?: string;
  readonly children: ComponentChildren;
}

export function Button(props: ButtonProps) {
  const { onClick, kind = 'plain', icon, submit = false, disabled = false, pressed, small, title } = props;
  return (
    <button
      type={submit ? 'submit' : 'button'}
      class={`button button-${kind}${small === true ? ' button-small' : ''}`}
      disabled={disabled}
      aria-pressed={pressed}
      title={title}
      onClick={onClick}
    >
      {icon === undefined ? null : <Icon name={icon} />}
      <span>{props.children}</span>
    </button>
  );
}

interface IconButtonProps {
  readonly icon: IconName;
  /** Its accessible name, and its tooltip. */
  readonly name: string;
  readonly onClick: (event: MouseEvent) => void;
  readonly pressed?: boolean;
  readonly tabIndex?: number;
  readonly class?: string;
}

export function IconButton({ icon, name, onClick, pressed, tabIndex, class: extra = '' }: IconButtonProps) {
  return (
    <button
      type="button"
      class={`icon-button ${extra}`}
      aria-label={name}
      aria-pressed={pressed}
      title={name}
      tabIndex={tabIndex}
      onClick={onClick}
    >
      <Icon name={icon} />
    </button>
  );
}
