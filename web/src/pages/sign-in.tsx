/** The door: a token, which stays in this browser. */
import { useState } from 'preact/hooks';
import { isLeaseboardError } from '../../../client/errors.ts';
import { reasonOf } from '../state/notices.ts';
import { signedOutBecause, signIn } from '../state/session.ts';
import { Button } from '../ui/button.tsx';
import { Logo } from '../ui/logo.tsx';

export function SignIn() {
  const [token, setToken] = useState('');
  const [keep, setKeep] = useState(true);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const enter = async (): Promise<void> => {
    setBusy(true);
    setError(null);
    try {
      await signIn(token.trim(), keep);
    } catch (failure) {
      setError(
        isLeaseboardError(failure, 'unauthenticated')
          ? 'No such token, or it has expired.'
          : reasonOf(failure),
      );
    } finally {
      setBusy(false);
    }
  };
  const problem = error ?? signedOutBecause.value;
  return (
    <main class="door" id="main">
      <form
        class="door-box stack"
        onSubmit={(event) => {
          event.preventDefault();
          void enter();
        }}
      >
        <Logo />
        <h1>Sign in to your boards</h1>
        <p class="faint">
          With a token such as the one that <code>npm start</code> prints. It stays in this browser.
        </p>
        <label class="field">
          <span>Token</span>
          <input
            type="password"
            autoComplete="current-password"
            placeholder="lb_…"
            required
            value={token}
            onInput={({ currentTarget }) => setToken(currentTarget.value)}
          />
        </label>
        <label class="check">
          <input
            type="checkbox"
            checked={keep}
            onChange={({ currentTarget }) => setKeep(currentTarget.checked)}
          />
          Stay signed in on this device
        </label>
        {problem === null ? null : (
          <p class="form-error" role="alert">
            {problem}
          </p>
        )}
        <Button submit kind="primary" disabled={busy || token.trim() === ''}>
          {busy ? 'Signing in…' : 'Sign in'}
        </Button>
      </form>
    </main>
  );
}
