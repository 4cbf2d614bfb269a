/** The mark and the name. */
export function Logo() {
  return (
    <span class="logo">
      <svg width="26" height="26" viewBox="0 0 32 32" aria-hidden="true">
        <rect class="logo-ground" width="32" height="32" rx="8" />
        <rect class="logo-bar logo-dim" x="7" y="8" width="5" height="16" rx="2" />
        <rect class="logo-bar" x="13.5" y="8" width="5" height="11" rx="2" />
        <rect class="logo-lit" x="20" y="8" width="5" height="7" rx="2" />
      </svg>
      Leaseboard
    </span>
  );
}
