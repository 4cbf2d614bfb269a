/** What is always at hand: the boards, tokens, how the page looks, the way out. */
import { useEffect, useState } from 'preact/hooks';
import { preferences, type Theme } from '../state/preferences.ts';
import { boardPath, Link, route } from '../state/router.tsx';
import { may, session, signOut } from '../state/session.ts';
import { IconButton } from '../ui/button.tsx';
import { Icon, type IconName } from '../ui/icon.tsx';
import { Logo } from '../ui/logo.tsx';
import { useBoards } from './boards.tsx';
import { Preferences } from './preferences-dialog.tsx';

export function Sidebar() {
  const [open, setOpen] = useState(false);
  const at = route.value;
  useEffect(() => setOpen(false), [at]);
  return (
    <>
      <nav class="mobile-bar" aria-label="Menu">
        <IconButton icon="menu" name="Menu" pressed={open} onClick={() => setOpen(!open)} />
        <Link to="/" class="logo-link" aria-label="Leaseboard, all boards">
          <Logo />
        </Link>
      </nav>
      {open ? <div class="scrim" onClick={() => setOpen(false)} aria-hidden="true" /> : null}
      <header class={open ? 'sidebar open' : 'sidebar'}>
        <Link to="/" class="logo-link" aria-label="Leaseboard, all boards">
          <Logo />
        </Link>
        <BoardLinks />
        <span class="spring" />
        {may('admin') ? (
          <Link class="side-link" to="/tokens" aria-current={at.page === 'tokens' ? 'page' : undefined}>
            <Icon name="key" /> Tokens
          </Link>
        ) : null}
        <Footer />
      </header>
    </>
  );
}

function BoardLinks() {
  const at = route.value;
  const { value, reload } = useBoards();
  const known = at.page !== 'board' || value === null || value.some(({ slug }) => slug === at.slug);
  // A board that was made a moment ago.
  useEffect(() => {
    if (!known) reload();
  }, [known]);
  return (
    <nav class="side-nav" aria-label="Boards">
      <Link class="side-link" to="/" aria-current={at.page === 'boards' ? 'page' : undefined}>
        <Icon name="list" /> All boards
      </Link>
      <p class="side-title">Boards</p>
      {(value ?? []).map((board) => (
        <Link
          key={board.id}
          class="side-link"
          to={boardPath(board.slug)}
          aria-current={at.page === 'board' && at.slug === board.slug ? 'page' : undefined}
        >
          {board.icon === null ? <Icon name="board" /> : <span class="side-icon">{board.icon}</span>}
          <span class="side-name">{board.name}</span>
        </Link>
      ))}
    </nav>
  );
}

const THEMES: readonly (readonly [Theme, IconName, string])[] = [
  ['light', 'sun', 'Light'],
  ['dark', 'moon', 'Dark'],
  ['system', 'screen', 'As the system'],
];

function Footer() {
  const [settings, setSettings] = useState(false);
  return (
    <div class="side-foot">
      <div class="themes" role="group" aria-label="Colours">
        {THEMES.map(([theme, icon, name]) => (
          <IconButton
            key={theme}
            icon={icon}
            name={name}
            pressed={preferences.theme.value === theme}
            onClick={() => {
              preferences.theme.value = theme;
            }}
          />
        ))}
      </div>
      <div class="side-me">
        <span class="side-name" title={session.value?.me.scopes.join(', ')}>
          {session.value?.me.name}
        </span>
        <IconButton icon="bell" name="Notifications" onClick={() => setSettings(true)} />
        <IconButton icon="out" name="Sign out" onClick={() => signOut()} />
      </div>
      {settings ? <Preferences close={() => setSettings(false)} /> : null}
    </div>
  );
}
