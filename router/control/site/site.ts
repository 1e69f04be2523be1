/**
 * Serves the dashboard: the files that `npm ci` built, and one page for all of the dashboard's
 * URLs. The page's Content-Security-Policy allows only this origin, and the base URLs that the
 * playground calls.
 */
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import staticFiles from '@fastify/static';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { formatUsd } from '../../../shared/money.ts';
import { FORMER_PATHS, PAGES, VISITOR_PATHS } from '../../dashboard/pages.ts';
import { cookieOf } from '../access/cookie.ts';
import type { Api } from '../api.ts';
import type { ControlParts } from '../parts.ts';
import { relyingPartyOf } from '../passkeys/relying-party.ts';
import type { PublicUrls } from '../public-urls.ts';
import { serveDocuments, visitorsBase } from './documents.ts';

const BUILT = fileURLToPath(new URL('../../dashboard/dist', import.meta.url));
/** The folder of the documentation's texts in the build. */
const DOCUMENTS = 'docs';
const NONCE_BYTES = 16;
/** Names the feed of incidents, which there is only where the status is public. */
const FEED_LINK = /<link rel="alternate" type="application\/atom\+xml"[^>]*>/;
const NOT_BUILT =
  'The dashboard was not built. A release contains it. In a checkout, run `npm ci` with the ' +
  'development dependencies, which builds it, and restart the router.\n';

export interface Site {
  /** Whether a browser requests a page at a URL that no other route serves. */
  isAskedFor(request: FastifyRequest): boolean;
  send(reply: FastifyReply, status: number): FastifyReply;
}

export type SiteParts = Pick<
  ControlParts,
  'urls' | 'publicModels' | 'welcome' | 'signUp' | 'seller' | 'operator'
>;

export function openSite(app: Api, parts: SiteParts): Site {
  const { urls } = parts;
  const index = join(BUILT, 'index.html');
  if (!existsSync(index)) {
    const send: Site['send'] = (reply) => reply.code(503).type('text/plain').send(NOT_BUILT);
    app.get('/', { schema: { hide: true } }, (_request, reply) => send(reply, 503));
    return { isAskedFor: () => false, send };
  }
  serveFiles(app);
  const send = pageSender(readFileSync(index, 'utf8'), parts);
  const own = Object.values(PAGES).map((one) => one.path);
  for (const path of [...own, '/', ...VISITOR_PATHS, ...Object.values(FORMER_PATHS)]) {
    const pattern = path.replaceAll('$organization', ':organization(^org_.+)').replaceAll('$', ':');
    app.get(pattern, { schema: { hide: true } }, (_request, reply) => send(reply, 200));
    if (path === '/') continue;
    app.get(`${pattern}/`, { schema: { hide: true } }, ({ url }, reply) =>
      reply.redirect(url.replace(/\/(?=\?|$)/, ''), 308),
    );
  }
  serveDocuments(app, join(BUILT, DOCUMENTS), urls, (reply) => send(reply, 200));
  const isAskedFor = ({ method, headers, url }: FastifyRequest) =>
    method === 'GET' && !url.startsWith('/api/') && (headers.accept ?? '').includes('text/html');
  return { isAskedFor, send };
}

/**
 * Sends the built page, with a new nonce for each response, and the base URL for visitors. The page
 * says whether its request had a session: scripts cannot read the cookie, and would have to ask for
 * the person to find out. It also says which regions are served, whether visitors may see the
 * models and sign up, at which origin there are passkeys, who operates the service (the seller on
 * receipts) and how to reach them, and how much credit a new organization gets.
 */
function pageSender(page: string, parts: SiteParts): Site['send'] {
  const { urls, publicModels, welcome, signUp, seller, operator } = parts;
  const sent = publicModels ? page : page.replace(FEED_LINK, '');
  const fixed = {
    MODELS: publicModels ? 'public' : 'signed-in',
    SIGNUP: signUp,
    OPERATOR: seller?.name ?? '',
    ADDRESS: seller?.address ?? '',
    TAXID: seller?.tax_id ?? '',
    CONTACT: operator.contact ?? '',
    TERMS: operator.terms ?? '',
    PRIVACY: operator.privacy ?? '',
    WELCOME: formatUsd(welcome.amount),
  };
  return (reply, status) => {
    const nonce = randomBytes(NONCE_BYTES).toString('base64');
    const { cookie } = reply.request.headers;
    const session = cookieOf(cookie, urls.secure) === undefined ? 'none' : 'present';
    return reply
      .code(status)
      .header('content-security-policy', policyOf(urls, nonce))
      .type('text/html; charset=utf-8')
      .send(
        fill(sent, {
          ...fixed,
          NONCE: nonce,
          SESSION: session,
          // The router's addresses are known once it listens.
          REGIONS: urls.regions.join(' '),
          PASSKEYS: relyingPartyOf(urls)?.origin ?? '',
          BASE: visitorsBase(urls),
        }),
      );
  };
}

/** Replaces each `%NAME%` of the page by its value, in one pass: a value may look like a name. */
function fill(page: string, values: Readonly<Record<string, string>>): string {
  return page.replace(/%([A-Z]+)%/g, (text, name: string) => {
    const value = values[name];
    return value === undefined ? text : inHtml(value);
  });
}

/** Escapes a text for an attribute. */
function inHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
}

function serveFiles(app: Api): void {
  app.register(staticFiles, {
    root: BUILT,
    wildcard: false,
    index: false,
    // These have routes of their own, which fill in the base URL.
    globIgnore: [`${DOCUMENTS}/**`],
    // `index.html` is sent only with its nonce and policy.
    allowedPath: (path) => !path.startsWith('/index.html'),
    preCompressed: true,
    cacheControl: false,
    setHeaders: (response, file) => {
      // A file name with a digest of the content never refers to other content.
      const kept = file.startsWith(join(BUILT, 'assets'))
        ? 'max-age=31536000, immutable'
        : 'no-cache';
      response.header('cache-control', `public, ${kept}`);
    },
  });
}

/** Open dialogs use inline styles, with this page's nonce. Scripts are never inline. */
function policyOf(urls: PublicUrls, nonce: string): string {
  const called = Object.values(urls.baseUrls).flatMap((url) => (url ? [new URL(url).origin] : []));
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "font-src 'self'",
    `connect-src ${["'self'", ...new Set(called)].join(' ')}`,
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}
