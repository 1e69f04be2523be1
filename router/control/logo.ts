/**
 * The logo on the pages and documents that the router itself makes: a stroke on a rounded square. A
 * test checks that the dashboard has the same (`shell/mark.tsx`, `public/favicon.svg`).
 */
export const LOGO = {
  /** The length of a side of the square. */
  units: 32,
  radius: 7,
  path: 'M9 24V8h7.5a5.5 5.5 0 0 1 0 11H13',
  stroke: 3.2,
} as const;

const { units, radius, path, stroke } = LOGO;

/** As SVG without colours: the pages have those in their styles. */
export const LOGO_SVG =
  `<svg width="22" height="22" viewBox="0 0 ${units} ${units}" aria-hidden="true">` +
  `<rect width="${units}" height="${units}" rx="${radius}"/>` +
  `<path d="${path}" fill="none" stroke-width="${stroke}" stroke-linecap="round" stroke-linejoin="round"/></svg>`;
