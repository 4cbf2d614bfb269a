/** How a card stands: an icon, a word and a colour, so that none of them is needed alone. */
import { Icon, type IconName } from '../ui/icon.tsx';
import { STATUS_LABELS, type Status } from './status.ts';

const ICONS: Readonly<Record<Status, IconName>> = {
  working: 'pulse',
  lost: 'lost',
  ready: 'circle',
  waiting: 'clock',
  blocked: 'stop',
  dead: 'skull',
  held: 'pause',
  draft: 'pencil',
  idle: 'circle',
  done: 'check',
  archived: 'archive',
};

export function StatusBadge({ status }: { readonly status: Status }) {
  return (
    <span class={`badge badge-${status}`}>
      <Icon name={ICONS[status]} size={13} />
      {STATUS_LABELS[status]}
    </span>
  );
}
