/**
 * The colours of the pages and documents that the router itself makes. They are those of the
 * dashboard (`router/dashboard/theme.css`), which a test compares.
 */
export const LIGHT = {
  ground: '#fbfbfc',
  panel: '#ffffff',
  sunken: '#f4f4f6',
  line: '#e6e6ea',
  'line-strong': '#d3d3da',
  ink: '#17181c',
  muted: '#5d5f6a',
  accent: '#4f46e5',
  'accent-ink': '#ffffff',
  good: '#157347',
  'good-soft': '#e6f5ec',
  warn: '#8a5a00',
  'warn-soft': '#fdf3dc',
  bad: '#b42318',
  'bad-soft': '#fdecea',
} as const;

export type Palette = Readonly<Record<keyof typeof LIGHT, string>>;

export const DARK: Palette = {
  ground: '#0e0f12',
  panel: '#15161a',
  sunken: '#1b1c21',
  line: '#26272e',
  'line-strong': '#383a44',
  ink: '#ececf0',
  muted: '#a0a2ae',
  accent: '#827ef6',
  'accent-ink': '#0d0c1d',
  good: '#5ccb92',
  'good-soft': '#12301f',
  warn: '#e2b04a',
  'warn-soft': '#36290e',
  bad: '#f5877c',
  'bad-soft': '#3d1a17',
};

/** The palette as declarations of CSS variables. */
export function declarations(palette: Palette): string {
  return Object.entries(palette)
    .map(([name, colour]) => `--${name}:${colour}`)
    .join(';');
}
