/**
 * Serves the documentation of inference: each page for browsers at `/docs/<name>`, the same page as
 * Markdown at `/docs/<name>.md`, and the list of all pages at `/llms.txt`. The build of the dashboard
 * has made the texts.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FastifyReply } from 'fastify';
import type { Api } from '../api.ts';
import type { PublicUrls } from '../public-urls.ts';

const HIDDEN = { schema: { hide: true } } as const;
const INDEX = 'llms.txt';

export function serveDocuments(
  app: Api,
  folder: string,
  urls: PublicUrls,
  sendPage: (reply: FastifyReply) => FastifyReply,
): void {
  const text = (path: string, file: string, type: string) => {
    const written = readFileSync(join(folder, file), 'utf8');
    app.get(path, HIDDEN, (_request, reply) =>
      reply
        .type(`${type}; charset=utf-8`)
        .header('cache-control', 'public, no-cache')
        .send(
          written.replaceAll('%BASE%', visitorsBase(urls)).replaceAll('%SITE%', urls.dashboard),
        ),
    );
  };
  text(`/${INDEX}`, INDEX, 'text/plain');
  for (const file of readdirSync(folder).filter((one) => one !== INDEX)) {
    text(`/docs/${file}`, file, 'text/markdown');
    app.get(`/docs/${file.replace(/\.md$/, '')}`, HIDDEN, (_request, reply) => sendPage(reply));
  }
}

/**
 * Returns the base URL for readers whose organization is not known, without its `/v1`: that of the
 * first region that has one.
 */
export function visitorsBase({ baseUrls, dashboard }: PublicUrls): string {
  const [url = dashboard] = Object.values(baseUrls).filter((one) => one !== null);
  return url.replace(/\/v1$/, '');
}
