/**
 * The API browser: Swagger UI, served from its npm package under paths that contain a digest of
 * their content, so that browsers can cache them forever. The package's own plugin uses fixed paths.
 * Nothing is loaded from other sites, and the page has no inline script or style.
 */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import type { FastifyReply } from 'fastify';
import type { Api } from '../api.ts';

type Asset = Readonly<{ name: string; type: string; read: () => Promise<Buffer> }>;
type Placed = Readonly<{ path: string; type: string; bytes: Buffer }>;

const SCRIPT = 'text/javascript; charset=utf-8';
const STYLE = 'text/css; charset=utf-8';

/** Signed-in people try calls with their session. Others enter a token, which is not stored. */
const START = `
window.ui = SwaggerUIBundle({
  url: '/api/openapi.json',
  dom_id: '#ui',
  deepLinking: true,
  docExpansion: 'none',
  tryItOutEnabled: true,
  validatorUrl: null,
});
`;

const ASSETS: readonly Asset[] = [
  fromPackage(import.meta.resolve('@fastify/swagger-ui/static/swagger-ui.css'), STYLE),
  fromPackage(import.meta.resolve('@fastify/swagger-ui/static/swagger-ui-bundle.js'), SCRIPT),
  fromPackage(import.meta.resolve('@fastify/swagger-ui/static/favicon-32x32.png'), 'image/png'),
  { name: 'start.js', type: SCRIPT, read: async () => Buffer.from(START) },
];

const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  // For the icons in Swagger UI's own style sheet.
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

function fromPackage(url: string, type: string): Asset {
  const file = new URL(url);
  return { name: basename(file.pathname), type, read: () => readFile(file) };
}

export function documentPages(app: Api): void {
  let placed: Promise<readonly Placed[]> | undefined;
  const assets = () => (placed ??= Promise.all(ASSETS.map(place)));

  app.get('/api/docs/', async (_request, reply) => reply.redirect('/api/docs', 308));
  app.get('/api/docs', async (_request, reply) => {
    const page = pageOf(await assets());
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

function pageOf([style, bundle, icon, start]: readonly Placed[]): string {
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Penstock management API</title>
    <link rel="icon" href="${icon?.path}">
    <link rel="stylesheet" href="${style?.path}">
  </head>
  <body>
    <div id="ui"></div>
    <script src="${bundle?.path}"></script>
    <script src="${start?.path}"></script>
  </body>
</html>
`;
}
