/** The keys, on request. */
import { Dialog } from '../ui/dialog.tsx';
import { helpOpen } from './focus.ts';
import { KEYS } from './keyboard.ts';

export function Help() {
  if (!helpOpen.value) return null;
  return (
    <Dialog
      title="Keyboard"
      onClose={() => {
        helpOpen.value = false;
      }}
    >
      <dl class="keys">
        {KEYS.map(([keys, what]) => (
          <div key={keys}>
            <dt>
              <kbd>{keys}</kbd>
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
