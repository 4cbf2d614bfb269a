/** Tokens: who may come in, and as what. */
import { useState } from 'preact/hooks';
import type { CreatedToken, Scope, Token } from '../../../client/types.ts';
import { dateTime, dayOf } from '../state/format.ts';
import { reasonOf, tellError } from '../state/notices.ts';
import { useResource } from '../state/resource.ts';
import { api, session } from '../state/session.ts';
import { Button } from '../ui/button.tsx';
import { ask, Dialog } from '../ui/dialog.tsx';
import { FormDialog } from '../ui/form-dialog.tsx';
import { Secret } from '../ui/secret.tsx';
import { Empty, Failed, Loading } from '../ui/states.tsx';

const PAGE = 100;

export function TokensPage() {
  const { value, error, reload } = useResource('tokens', async () => api().tokens.list({ limit: PAGE }));
  const boards = useResource('boards of tokens', async () => api().boards.list({ limit: PAGE }));
  const [adding, setAdding] = useState(false);
  const [shown, setShown] = useState<CreatedToken | null>(null);
  const nameOf = (id: string | null): string =>
    id === null ? 'All boards' : (boards.value?.items.find((board) => board.id === id)?.name ?? id);
  return (
    <main class="page" id="main">
      <header class="board-head">
        <div class="board-title">
          <h1>Tokens</h1>
        </div>
      </header>
      <div class="list-page">
        <div class="page-bar">
          <p class="page-summary">
            Workers, people and programs come in with a token. Only its hash is kept.
          </p>
          <Button kind="primary" icon="plus" onClick={() => setAdding(true)}>
            New token
          </Button>
        </div>
        {error === null ? null : <Failed error={error} retry={reload} />}
        {value === null && error === null ? <Loading what="tokens" /> : null}
        {value?.items.length === 0 ? <Empty icon="key" title="No tokens" /> : null}
        <ul class="rows">
          {value?.items.map((token) => (
            <TokenRow
              key={token.id}
              token={token}
              board={nameOf(token.board_id)}
              changed={reload}
              show={setShown}
            />
          ))}
        </ul>
      </div>
      {adding ? (
        <NewToken
          boards={(boards.value?.items ?? []).map(({ id, name }) => [id, name])}
          close={() => setAdding(false)}
          made={(token) => {
            setAdding(false);
            setShown(token);
            reload();
          }}
        />
      ) : null}
      {shown === null ? null : (
        <Dialog title={`Token ${shown.name}`} onClose={() => setShown(null)}>
          <p>Copy it now: it is shown this once, and cannot be read again.</p>
          <Secret value={shown.token} name="Token" />
        </Dialog>
      )}
    </main>
  );
}

interface TokenRowProps {
  readonly token: Token;
  readonly board: string;
  readonly changed: () => void;
  readonly show: (token: CreatedToken) => void;
}

function TokenRow({ token, board, changed, show }: TokenRowProps) {
  const own = token.id === session.value?.me.token_id;
  const rotate = async (): Promise<void> => {
    const sure = await ask({
      title: `Rotate ${token.name}?`,
      text: 'It gets a new secret, which is shown once. The old one opens for a day still, so that whoever uses it can change over.',
      confirm: 'Rotate',
    });
    if (sure === null) return;
    try {
      show(await api().tokens.rotate(token.id));
    } catch (error) {
      tellError(`${token.name} was not rotated`, error);
    }
  };
  const revoke = async (): Promise<void> => {
    const sure = await ask({
      title: `Revoke ${token.name}?`,
      text: own
        ? 'This is the token that you are signed in with. You will be signed out.'
        : 'Whoever uses it is refused from now on. Leases that it holds run out.',
      confirm: 'Revoke',
      kind: 'danger',
    });
    if (sure === null) return;
    try {
      await api().tokens.revoke(token.id);
      changed();
    } catch (error) {
      tellError(`${token.name} was not revoked`, error);
    }
  };
  return (
    <li class="row-card row-inline">
      <div class="token">
        <p class="token-name">
          <strong>{token.name}</strong>
          {own ? <span class="chip chip-tenant">you</span> : null}
          {token.scopes.map((scope) => (
            <span key={scope} class="chip">
              {scope}
            </span>
          ))}
        </p>
        <p class="faint">
          {board}
          {token.agent === null ? '' : ` · only as ${token.agent}`} · made {dateTime(token.created_at)}
          {token.last_used_at === null ? ' · never used' : ` · last used ${dayOf(token.last_used_at)}`}
          {token.expires_at === null ? '' : ` · expires ${dateTime(token.expires_at)}`}
        </p>
      </div>
      <div class="actions">
        {token.role_arn === null ? (
          <Button small onClick={() => void rotate()}>
            Rotate
          </Button>
        ) : null}
        <Button small kind="danger" onClick={() => void revoke()}>
          Revoke
        </Button>
      </div>
    </li>
  );
}

const SCOPES: readonly (readonly [Scope, string])[] = [
  ['worker', 'Worker: claims, works, comments, creates cards'],
  ['member', 'Member: a person who supervises'],
  ['admin', 'Admin: boards, tokens, webhooks too'],
];

interface NewTokenProps {
  readonly boards: readonly (readonly [id: string, name: string])[];
  readonly close: () => void;
  readonly made: (token: CreatedToken) => void;
}

function NewToken({ boards, close, made }: NewTokenProps) {
  const [name, setName] = useState('');
  const [scope, setScope] = useState<Scope>('worker');
  const [board, setBoard] = useState('');
  const [agent, setAgent] = useState('');
  const [error, setError] = useState<string | null>(null);
  const create = async (): Promise<void> => {
    try {
      const only = agent.trim() === '' ? {} : { agent: agent.trim() };
      made(
        await api().tokens.create({
          name,
          scopes: [scope],
          ...(board === '' ? {} : { board_id: board }),
          ...only,
        }),
      );
    } catch (failure) {
      setError(reasonOf(failure));
    }
  };
  return (
    <FormDialog
      title="New token"
      confirm="Create"
      submit={create}
      cancel={close}
      error={error}
      disabled={name.trim() === ''}
    >
      <label class="field">
        <span>Name</span>
        <input required value={name} onInput={({ currentTarget }) => setName(currentTarget.value)} />
      </label>
      <label class="field">
        <span>May</span>
        <select value={scope} onChange={({ currentTarget }) => setScope(currentTarget.value as Scope)}>
          {SCOPES.map(([value, label]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
      </label>
      <label class="field">
        <span>On</span>
        <select value={board} onChange={({ currentTarget }) => setBoard(currentTarget.value)}>
          <option value="">All boards</option>
          {boards.map(([id, label]) => (
            <option key={id} value={id}>
              {label}
            </option>
          ))}
        </select>
      </label>
      <label class="field">
        <span>Only as this agent (may be left empty)</span>
        <input value={agent} onInput={({ currentTarget }) => setAgent(currentTarget.value)} />
      </label>
    </FormDialog>
  );
}
