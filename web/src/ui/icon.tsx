/** Small line icons, drawn in the colour of the text around them. Decoration only: the words are beside them. */

const PATHS = {
  plus: 'M12 5v14M5 12h14',
  close: 'M6 6l12 12M18 6L6 18',
  search: 'M11 4a7 7 0 1 0 0 14 7 7 0 0 0 0-14zM20 20l-4-4',
  board: 'M4 5h4v14H4zM10 5h4v9h-4zM16 5h4v6h-4z',
  pulse: 'M3 12h4l3-8 4 16 3-8h4',
  skull: 'M12 3a8 8 0 0 0-5 14v3h10v-3a8 8 0 0 0-5-14zM9 11v1M15 11v1M11 20v-2M13 20v-2',
  why: 'M9.5 9a2.6 2.6 0 1 1 3.6 2.4c-.8.4-1.1.9-1.1 1.8v.3M12 17v.1M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18z',
  list: 'M8 6h12M8 12h12M8 18h12M4 6v.1M4 12v.1M4 18v.1',
  hook: 'M13 4a4 4 0 0 1 2 7.5L18 17M11 20a4 4 0 0 1-6-5l.2-.3M9 17H19a3 3 0 1 1-2 4M5.5 14.5L9 8.6A4 4 0 0 1 13 4',
  key: 'M8 12a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM11 13l9-9M16 8l3 3',
  sun: 'M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM12 2v2M12 20v2M2 12h2M20 12h2M5 5l1.5 1.5M17.5 17.5L19 19M5 19l1.5-1.5M17.5 6.5L19 5',
  moon: 'M20 14a8 8 0 1 1-10-10 7 7 0 0 0 10 10z',
  screen: 'M4 5h16v11H4zM9 20h6M12 16v4',
  pause: 'M8 5v14M16 5v14',
  play: 'M8 5l11 7-11 7z',
  move: 'M5 12h14M13 6l6 6-6 6',
  check: 'M5 13l4 4L19 7',
  clock: 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM12 7v5l3 2',
  stop: 'M8 3h8l5 5v8l-5 5H8l-5-5V8zM8.5 12h7',
  hand: 'M8 11V5.5a1.5 1.5 0 0 1 3 0V11M11 10V4.5a1.5 1.5 0 0 1 3 0V11M14 11V6.5a1.5 1.5 0 0 1 3 0V14a6 6 0 0 1-11 3l-2.500-4.500a1.500 1.500 0 0 1 2.500-1.500L8 13',
  pencil: 'M4 20l1-4L16 5l3 3L8 19zM14 7l3 3',
  circle: 'M12 5a7 7 0 1 0 0 14 7 7 0 0 0 0-14z',
  lost: 'M12 3l9 16H3zM12 10v4M12 16.500v.1',
  gear: 'M12 9a3 3 0 1 0 0 6 3 3 0 0 0 0-6zM19 12l2-1-1-3-2.300.3-1.400-1.500L16.500 4l-3-1L12 5l-1.500-2-3 1 .2 2.800L6.300 8.300 4 8l-1 3 2 1-2 1 1 3 2.300-.3 1.400 1.500-.2 2.800 3 1L12 19l1.500 2 3-1-.2-2.800 1.400-1.500 2.300.3 1-3z',
  comment: 'M4 5h16v11H10l-4 4v-4H4z',
  clip: 'M8 12l6-6a3 3 0 0 1 4 4l-8 8a5 5 0 0 1-7-7l8-8',
  link: 'M10 14a4 4 0 0 0 6 0l3-3a4 4 0 0 0-6-6l-1 1M14 10a4 4 0 0 0-6 0l-3 3a4 4 0 0 0 6 6l1-1',
  back: 'M9 7H4V2M4 7a9 9 0 1 1-1 6',
  person: 'M12 4a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM4 20a8 8 0 0 1 16 0',
  out: 'M14 5H5v14h9M10 12h11M17 8l4 4-4 4',
  dots: 'M6 12v.1M12 12v.1M18 12v.1',
  archive: 'M3 5h18v4H3zM5 9v10h14V9M10 13h4',
  trash: 'M4 7h16M9 7V4h6v3M6 7l1 13h10l1-13',
  lanes: 'M4 4h16v6H4zM4 14h16v6H4z',
  filter: 'M4 5h16l-6 8v6l-4-2v-4z',
  heart: 'M12 20s-8-5-8-11a4.500 4.500 0 0 1 8-2.500A4.500 4.500 0 0 1 20 9c0 6-8 11-8 11z',
  bell: 'M6 17V11a6 6 0 0 1 12 0v6l2 2H4zM10 21h4',
  menu: 'M4 7h16M4 12h16M4 17h16',
  down: 'M6 9l6 6 6-6',
} as const;

export type IconName = keyof typeof PATHS;

export function Icon({ name, size = 16 }: { readonly name: IconName; readonly size?: number }) {
  return (
    <svg class="icon" width={size} height={size} viewBox="0 0 24 24" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  );
}
