/**
 * Pages that the router itself renders: plain HTML without scripts, under a Content-Security-Policy
 * that forbids everything else.
 */
import { createHash } from 'node:crypto';
import type { FastifyReply } from 'fastify';
import { contactHref } from '../../shared/contact.ts';
import { LOGO_SVG } from './logo.ts';
import { PAGE_STYLE } from './page-style.ts';
import { SERVICE_NAME } from '../../shared/service-name.ts';

/** Text that is already escaped markup. Only this file makes it. */
export class Markup {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

type Part = string | number | Markup | null | readonly Markup[];

/** A template tag that escapes every value except `Markup`. */
export function html(literals: TemplateStringsArray, ...parts: readonly Part[]): Markup {
  return new Markup(String.raw({ raw: literals }, ...parts.map(textOf)));
}

function textOf(part: Part): string {
  if (part === null) return '';
  if (part instanceof Markup) return part.text;
  if (typeof part === 'object') return part.map(({ text }) => text).join('');
  return String(part).replace(/[&<>"']/g, (char) => ENTITIES[char] as string);
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const STYLE_HASH = createHash('sha256').update(PAGE_STYLE).digest('base64');

const LOGO = new Markup(LOGO_SVG);

/**
 * Sends a page below the logo and the name of the service. `narrow` is for a page with one form.
 * Set `forms` when the page has forms; they may post only to this site. `contact` is where readers
 * get help: a mail address or a URL.
 */
export function sendPage(
  reply: FastifyReply,
  {
    title,
    body,
    narrow = false,
    forms = false,
    contact = null,
  }: Readonly<{
    title: string;
    body: Markup;
    narrow?: boolean;
    forms?: boolean;
    contact?: string | null;
  }>,
): FastifyReply {
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · ${SERVICE_NAME}</title>
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<style>${new Markup(PAGE_STYLE)}</style>
</head>
<body>
<main class="${narrow ? 'narrow' : 'sheet'}">
<p class="service">${LOGO}${SERVICE_NAME}</p>
${body}
${contact === null ? null : html`<p class="after">Questions? <a href="${contactHref(contact)}">Contact support</a></p>`}
</main>
</body>
</html>
`;
  return reply
    .headers({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy':
        `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; img-src 'self'; font-src 'self'; ` +
        `base-uri 'none'; form-action ${forms ? "'self'" : "'none'"}; frame-ancestors 'none'`,
      'cache-control': 'no-store',
      // With `no-referrer`, browsers would not report the origin of a form.
      'referrer-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
    })
    .send(page.text);
}
