/** Where toasts stand, and the region that screen readers listen to. */
import { announcement, dismiss, toasts } from '../state/notices.ts';
import { Link } from '../state/router.tsx';
import { IconButton } from './button.tsx';

export function Toasts() {
  return (
    <>
      <div class="toasts" role="region" aria-label="Messages">
        {toasts.value.map((one) => (
          <div key={one.id} class={`toast toast-${one.tone}`} role={one.tone === 'bad' ? 'alert' : 'status'}>
            <p>{one.to === null ? one.text : <Link to={one.to}>{one.text}</Link>}</p>
            <IconButton icon="close" name="Dismiss" onClick={() => dismiss(one.id)} />
          </div>
        ))}
      </div>
      <div class="visually-hidden" role="status" aria-live="polite">
        {announcement.value}
      </div>
    </>
  );
}
