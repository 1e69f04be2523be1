/**
 * The API browser: Swagger UI, served from its npm package under paths that contain a digest of
 * their content, so that browsers can cache them forever. The package's own plugin uses fixed paths.
 * Nothing is loaded from other sites, and the page has no inline script or style.
 */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import type { FastifyReply } from 'fastify';
import { cookieOf } from '../access/cookie.ts';
import type { Api } from '../api.ts';
import { FONT_FACE } from '../inter-font.ts';
import { LOGO_SVG } from '../logo.ts';
import { SERVICE_NAME } from '../service-name.ts';
import { START_SCRIPT } from './page-script.ts';
import { STYLE_SHEET } from './page-style.ts';
import { INFO } from './texts.ts';

type Asset = Readonly<{ name: string; type: string; read: () => Promise<Buffer> }>;
type Placed = Readonly<{ path: string; type: string; bytes: Buffer }>;

const SCRIPT = 'text/javascript; charset=utf-8';
const STYLE = 'text/css; charset=utf-8';

const ASSETS: readonly Asset[] = [
  fromPackage(import.meta.resolve('@fastify/swagger-ui/static/swagger-ui.css'), STYLE),
  fromPackage(import.meta.resolve('@fastify/swagger-ui/static/swagger-ui-bundle.js'), SCRIPT),
  { name: 'start.js', type: SCRIPT, read: async () => Buffer.from(START_SCRIPT) },
  { name: 'page.css', type: STYLE, read: async () => Buffer.from(`${FONT_FACE}${STYLE_SHEET}`) },
];

const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  // For the icons in Swagger UI's own style sheet.
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

function fromPackage(url: string, type: string): Asset {
  const file = new URL(url);
  return { name: basename(file.pathname), type, read: () => readFile(file) };
}

export function documentPages(app: Api, secure: boolean): void {
  let placed: Promise<readonly Placed[]> | undefined;
  const assets = () => (placed ??= Promise.all(ASSETS.map(place)));

  app.get('/api/docs/', async (_request, reply) => reply.redirect('/api/docs', 308));
  app.get('/api/docs', async ({ headers }, reply) => {
    const page = pageOf(await assets(), cookieOf(headers.cookie, secure) !== undefined);
    return answer(reply, 'text/html; charset=utf-8', 'no-cache').send(page);
  });

  app.get<{ Params: { digest: string; name: string } }>(
    '/api/docs/:digest/:name',
    async ({ url }, reply) => {
      const asset = (await assets()).find(({ path }) => path === url);
      if (!asset) return reply.callNotFound();
      return answer(reply, asset.type, 'public, max-age=31536000, immutable').send(asset.bytes);
    },
  );
}

async function place({ name, type, read }: Asset): Promise<Placed> {
  const bytes = await read();
  const digest = createHash('sha256').update(bytes).digest('hex').slice(0, 16);
  return { path: `/api/docs/${digest}/${name}`, type, bytes };
}

function answer(reply: FastifyReply, type: string, keep: string): FastifyReply {
  return reply.type(type).header('cache-control', keep).header('content-security-policy', POLICY);
}

function pageOf([style, bundle, start, own]: readonly Placed[], hasSession: boolean): string {
  return `<!doctype html>
<html lang="en" data-session="${hasSession ? 'present' : 'none'}">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>Management API · ${SERVICE_NAME}</title>
    <link rel="icon" href="/favicon.svg" type="image/svg+xml">
    <link rel="stylesheet" href="${style?.path}">
    <link rel="stylesheet" href="${own?.path}">
    <script src="/theme.js"></script>
  </head>
  <body>
    ${HEADER}
    <main>
      ${INTRODUCTION}
      <div id="ui"></div>
    </main>
    <script src="${bundle?.path}"></script>
    <script src="${start?.path}" type="module"></script>
  </body>
</html>
`;
}

/** As the header of the documentation (`router/dashboard/shell/site-header.tsx`). */
const HEADER = `<header class="site"><div>
      <a class="logo" href="/docs">
        ${LOGO_SVG}
        <span>${SERVICE_NAME}</span>
      </a>
      <nav aria-label="Site">
        <a href="/catalog">Models</a>
        <a href="/status">Status</a>
        <a href="/docs">Docs</a>
        <a href="/api/docs" aria-current="page">Management API</a>
        <a href="/">Dashboard</a>
      </nav>
    </div></header>`;

/** The document's description, whose Markdown has only paragraphs, bold words and code. */
const CONVENTIONS = INFO.description
  .split('\n\n')
  .slice(1)
  .map((text) =>
    text.replace(/\*\*(.+?)\*\*/g, '<strong>$1</strong>').replace(/`(.+?)`/g, '<code>$1</code>'),
  )
  .map((text) => `<p>${text}</p>`)
  .join('\n        ');

const INTRODUCTION = `<div class="intro">
        <h1>Management API</h1>
        <p>
          Manage organizations, members, API keys, credit and usage from a script. To call models,
          see <a href="/docs">Docs</a>.
        </p>
        <dl>
          <dt>Base URL</dt>
          <dd><code data-origin>ORIGIN/api/v1</code></dd>
          <dt>Token</dt>
          <dd>
            An org-admin creates a management token in <a href="/">the dashboard</a>, under Settings.
            API keys do not work here.
          </dd>
          <dt>Example</dt>
          <dd><pre data-origin>curl ORIGIN/api/v1/organizations/ORGANIZATION_ID/credit \\
  -H "Authorization: Bearer $PENSTOCK_TOKEN"</pre></dd>
          <dt>Try it</dt>
          <dd>If you are signed in, calls below run with your session, for real. Otherwise, choose Authorize.</dd>
        </dl>
        <details>
        <summary>Conventions: authentication, lists, amounts and errors</summary>
        ${CONVENTIONS}
        <p><a href="/api/openapi.json">OpenAPI document</a></p>
        </details>
      </div>`;
