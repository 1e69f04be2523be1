/** Draws formulas. This file, its styles and its fonts are loaded when the first one is shown. */
import katex from 'katex';
import 'katex/dist/katex.min.css';

/** Bounds for hostile formulas: how often macros expand, and sizes in em. */
const EXPANSIONS_MAX = 200;
const SIZE_EM_MAX = 20;

/**
 * Draws a formula into `place`, and leaves the place as it is when the source is no valid TeX. Only
 * the HTML of KaTeX obeys the Content-Security-Policy: its MathML has inline styles.
 */
export function drawFormula(place: HTMLElement, source: string, display: boolean): void {
  const drawn = document.createElement('span');
  try {
    katex.render(source, drawn, {
      displayMode: display,
      output: 'html',
      throwOnError: true,
      strict: 'ignore',
      trust: false,
      maxExpand: EXPANSIONS_MAX,
      maxSize: SIZE_EM_MAX,
    });
  } catch {
    return;
  }
  place.replaceChildren(drawn);
}
