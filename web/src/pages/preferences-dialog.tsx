/** What a person wants to be told of. */
import type { Signal } from '@preact/signals';
import { preferences } from '../state/preferences.ts';
import { toast } from '../state/notices.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';

export function Preferences({ close }: { readonly close: () => void }) {
  return (
    <Dialog title="Notifications" onClose={close}>
      <div class="stack">
        <Choice of={preferences.tellDead} label="When a card is dead-lettered" />
        <Choice of={preferences.tellBlocked} label="When a card is blocked" />
        <Choice of={preferences.tellCompleted} label="When a card is completed" />
        <Choice of={preferences.system} label="As notifications of the system too" before={permitted} />
        <p class="faint">
          While the board is open and visible. Nothing is asked of the server by a hidden tab.
        </p>
        <div class="dialog-actions">
          <Button kind="primary" onClick={close}>
            Done
          </Button>
        </div>
      </div>
    </Dialog>
  );
}

interface ChoiceProps {
  readonly of: Signal<boolean>;
  readonly label: string;
  readonly before?: () => Promise<boolean>;
}

function Choice({ of, label, before }: ChoiceProps) {
  return (
    <label class="check">
      <input
        type="checkbox"
        checked={of.value}
        onChange={async ({ currentTarget }) => {
          const wanted = currentTarget.checked;
          of.value = wanted && (before === undefined || (await before()));
        }}
      />
      {label}
    </label>
  );
}

async function permitted(): Promise<boolean> {
  const allowed = 'Notification' in window && (await Notification.requestPermission()) === 'granted';
  if (!allowed) toast('This browser does not permit notifications of this page', 'warn');
  return allowed;
}
