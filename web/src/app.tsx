/** The whole page: the door, or the sidebar with what the address names beside it. */
import { BoardPage } from './board/board-page.tsx';
import { BoardsPage } from './pages/boards.tsx';
import { Sidebar } from './pages/sidebar.tsx';
import { SignIn } from './pages/sign-in.tsx';
import { TokensPage } from './pages/tokens.tsx';
import { Link, route } from './state/router.tsx';
import { restoring, session } from './state/session.ts';
import { Asked } from './ui/dialog.tsx';
import { Empty, Loading } from './ui/states.tsx';
import { Toasts } from './ui/toasts.tsx';

export function App() {
  if (restoring.value) return <Loading what="your session" />;
  if (session.value === null) {
    return (
      <>
        <SignIn />
        <Toasts />
      </>
    );
  }
  return (
    <div class="app" key={session.value.me.token_id}>
      <a class="skip" href="#main">
        Skip to the content
      </a>
      <Sidebar />
      <Page />
      <Asked />
      <Toasts />
    </div>
  );
}

function Page() {
  const at = route.value;
  switch (at.page) {
    case 'boards':
      return <BoardsPage />;
    case 'tokens':
      return <TokensPage />;
    case 'board':
      return <BoardPage key={at.slug} at={at} />;
    case 'unknown':
      return (
        <main class="page" id="main">
          <Empty icon="why" title="There is no such page">
            <Link to="/">All boards</Link>
          </Empty>
        </main>
      );
  }
}
