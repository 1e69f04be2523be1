/** The style of the API browser around and in Swagger UI: the header of the site, and both themes. */
import { DARK, declarations, LIGHT } from '../palette.ts';

export const STYLE_SHEET = `
:root { color-scheme: light; ${declarations(LIGHT)} }
[data-theme='dark'] { color-scheme: dark; ${declarations(DARK)} }
html.dark-mode, html { background: var(--ground); }
body {
  margin: 0; background: var(--ground); color: var(--ink);
  font: 0.875rem/1.5 'Inter Variable', Inter, ui-sans-serif, system-ui, sans-serif;
}
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
.site { position: sticky; top: 0; z-index: 30; border-bottom: 1px solid var(--line); background: var(--ground); }
.site > div {
  display: flex; align-items: center; gap: 1rem; box-sizing: border-box; height: 3rem;
  max-width: 72rem; margin: 0 auto; padding: 0 2rem; font-size: 0.8125rem;
}
.site a { color: var(--muted); text-decoration: none; }
.site a:hover, .site a[aria-current] { color: var(--ink); }
.site .logo { display: flex; align-items: center; gap: 0.625rem; color: var(--ink); font-weight: 600; }
.site .logo rect { fill: var(--accent); }
.site .logo path { stroke: var(--accent-ink); }
.site nav { display: flex; gap: 1rem; margin-left: auto; }
.intro { box-sizing: border-box; max-width: 72rem; margin: 0 auto; padding: 2rem 2rem 0; }
.intro h1 { margin: 0; font-size: 1.25rem; font-weight: 600; letter-spacing: -0.025em; }
.intro p, .intro dl { max-width: 44rem; color: var(--muted); font-size: 0.8125rem; }
.intro p { margin: 0.25rem 0 0; }
.intro dl { display: grid; grid-template-columns: 6rem minmax(0, 1fr); gap: 0.5rem 1rem; margin: 1.25rem 0 0; }
.intro dt { color: var(--muted); }
.intro dd { margin: 0; color: var(--ink); }
.intro a { color: var(--accent); }
.intro code, .intro pre {
  border-radius: 0.25rem; background: var(--sunken); font: 0.75rem/1.6 ui-monospace, 'DejaVu Sans Mono', monospace;
}
.intro code { padding: 0.125rem 0.25rem; overflow-wrap: anywhere; }
.intro pre { margin: 0; padding: 0.625rem 0.75rem; white-space: pre-wrap; overflow-wrap: anywhere; }
.intro details { max-width: 44rem; margin: 1rem 0 0; font-size: 0.8125rem; }
.intro summary { cursor: pointer; color: var(--muted); }
.intro details p { margin: 0.625rem 0 0; }

.swagger-ui, html.dark-mode .swagger-ui { background: transparent; color: var(--ink); font-family: inherit; }
.swagger-ui .wrapper { box-sizing: border-box; max-width: 72rem; padding: 0 2rem; }
.swagger-ui .information-container { display: none; }
.swagger-ui :is(.servers, .servers-title) { display: none; }
.swagger-ui .schemes-server-container { flex: none; }
.swagger-ui :is(.opblock-tag, .opblock) { scroll-margin-top: 4rem; }
.swagger-ui .scheme-container .schemes { justify-content: flex-start; }
.swagger-ui :is(.authorization__btn, .btn.authorize svg) { display: none; }
.swagger-ui .auth-wrapper { justify-content: flex-start; }
.swagger-ui .auth-wrapper .btn.authorize, html.dark-mode .swagger-ui .auth-wrapper .btn.authorize {
  margin: 0; padding: 0.25rem 0.75rem; border: 1px solid var(--line-strong); border-radius: 0.375rem; background: var(--panel);
  box-shadow: none; color: var(--ink); font-family: inherit; font-size: 0.8125rem; font-weight: 500;
}
.swagger-ui .btn.authorize span { padding: 0; }
.swagger-ui .filter .wrapper, .swagger-ui .filter-container { padding-top: 0; padding-bottom: 0; }
.swagger-ui .opblock-tag svg { fill: var(--muted); }
.swagger-ui .filter .operation-filter-input, html.dark-mode .swagger-ui .filter .operation-filter-input {
  box-sizing: border-box; width: 100%; max-width: 20rem; margin: 0.5rem 0; padding: 0.375rem 0.75rem;
  border: 1px solid var(--line-strong); border-radius: 0.375rem; background: var(--panel); color: var(--ink);
  font-size: 0.8125rem;
}
.swagger-ui .scheme-container, html.dark-mode .swagger-ui .scheme-container {
  margin: 0; padding: 1rem 0; background: transparent; box-shadow: none;
}
.swagger-ui :not(pre, pre *, code, code *, .opblock-summary-path, .opblock-summary-path *, textarea) { font-family: inherit !important; }
.swagger-ui .opblock-tag, html.dark-mode .swagger-ui .opblock-tag {
  padding: 0.625rem 0.5rem 0.625rem 0; border-bottom-color: var(--line); color: var(--ink); font-size: 0.875rem; font-weight: 600;
}
.swagger-ui .opblock-tag small { color: var(--muted); font-size: 0.8125rem; }
.swagger-ui .opblock .opblock-summary-path, .swagger-ui .opblock .opblock-summary-description {
  color: var(--ink); font-size: 0.8125rem;
}
.swagger-ui .opblock .opblock-summary-method { font-family: inherit; font-size: 0.75rem; }
html.dark-mode .swagger-ui .opblock .opblock-section-header { background: var(--sunken); }
html.dark-mode .swagger-ui :is(.dialog-ux .modal-ux, section.models, .model-box) {
  border-color: var(--line); background: var(--panel);
}
.swagger-ui section.models { border-color: var(--line); }

@media (width < 40rem) {
  .site > div, .intro, .swagger-ui .wrapper { padding-left: 1rem; padding-right: 1rem; }
  .site .logo span, .site a[aria-current] { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  .intro dl { grid-template-columns: minmax(0, 1fr); gap: 0.125rem; }
  .intro dd + dt { margin-top: 0.625rem; }
  .swagger-ui .opblock-tag { position: relative; flex-wrap: wrap; padding: 0.625rem 2.5rem 0.625rem 0; }
  .swagger-ui .opblock-tag > button { position: absolute; right: 0; }
  .swagger-ui .opblock-tag small { flex-basis: 100%; padding: 0; }
  .swagger-ui .opblock .opblock-summary { flex-wrap: wrap; }
  .swagger-ui .opblock .opblock-summary-path { max-width: 100%; overflow-wrap: anywhere; }
  .swagger-ui .opblock .opblock-summary-description { flex-basis: 100%; padding: 0.25rem 0 0; text-align: left; }
  .swagger-ui .opblock-body, .swagger-ui .table-container { overflow-x: auto; }
}
`;
