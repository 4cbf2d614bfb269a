/** The door: with the identity provider where there is one, or with a token, which stays in this browser. */
import { useEffect, useState } from 'preact/hooks';
import type { SignIn as Provider } from '../../sign-in.ts';
import { isLeaseboardError } from '../../../client/errors.ts';
import { reasonOf } from '../state/notices.ts';
import { findProvider, leaveForProvider } from '../state/oidc.ts';
import { signedOutBecause, signIn } from '../state/session.ts';
import { Button } from '../ui/button.tsx';
import { FormError } from '../ui/form-dialog.tsx';
import { Logo } from '../ui/logo.tsx';

export function SignIn() {
  const [provider, setProvider] = useState<Provider | null>(null);
  const [error, setError] = useState<string | null>(null);
  useEffect(() => {
    // Without an answer there is the token's form, and the page that is loaded again asks again.
    findProvider().then(setProvider, () => {});
  }, []);
  return (
    <main class="door" id="main">
      <div class="door-box stack">
        <Logo />
        <h1>Sign in to your boards</h1>
        <FormError error={error ?? signedOutBecause.value} />
        {provider === null ? null : <ProviderDoor provider={provider} failed={setError} />}
        <TokenDoor only={provider === null} failed={setError} />
      </div>
    </main>
  );
}

interface DoorProps {
  readonly failed: (why: string | null) => void;
}

function ProviderDoor({ provider, failed }: DoorProps & { readonly provider: Provider }) {
  const [busy, setBusy] = useState(false);
  const leave = async (): Promise<void> => {
    setBusy(true);
    failed(null);
    try {
      await leaveForProvider(provider);
    } catch (failure) {
      failed(`${provider.provider} could not be asked: ${reasonOf(failure)}`);
    } finally {
      // Also of a page that is left: the browser may show it again as it was.
      setBusy(false);
    }
  };
  return (
    <>
      <Button kind="primary" icon="person" disabled={busy} onClick={() => void leave()}>
        Sign in with {provider.provider}
      </Button>
      <p class="door-or">
        <span>or with a token</span>
      </p>
    </>
  );
}

function TokenDoor({ only, failed }: DoorProps & { readonly only: boolean }) {
  const [token, setToken] = useState('');
  const [keep, setKeep] = useState(true);
  const [busy, setBusy] = useState(false);
  const enter = async (): Promise<void> => {
    setBusy(true);
    failed(null);
    try {
      await signIn(token.trim(), keep);
    } catch (failure) {
      failed(
        isLeaseboardError(failure, 'unauthenticated')
          ? 'No such token, or it has expired.'
          : reasonOf(failure),
      );
    } finally {
      setBusy(false);
    }
  };
  return (
    <form
      class="stack"
      onSubmit={(event) => {
        event.preventDefault();
        void enter();
      }}
    >
      {only ? (
        <p class="faint">
          With a token such as the one that <code>npm start</code> prints. It stays in this browser.
        </p>
      ) : null}
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
      <Button submit kind={only ? 'primary' : 'plain'} disabled={busy || token.trim() === ''}>
        {busy ? 'Signing in…' : 'Sign in'}
      </Button>
    </form>
  );
}
