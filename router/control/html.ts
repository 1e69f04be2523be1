/**
 * Pages that the router itself renders: plain HTML without scripts, under a Content-Security-Policy
 * that forbids everything else.
 */
import { createHash } from 'node:crypto';
import type { FastifyReply } from 'fastify';

/** Text that is already escaped markup. Only `html` makes it. */
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

const STYLE = `
:root{color-scheme:light dark}
body{font:16px/1.5 system-ui,sans-serif;max-width:36rem;margin:3rem auto;padding:0 1rem}
h1{font-size:1.4rem}
table{border-collapse:collapse;width:100%;margin:1rem 0}
th,td{text-align:left;padding:.35rem 1rem .35rem 0;border-bottom:1px solid #8884;vertical-align:top}
th:first-child,td:first-child{white-space:nowrap}
caption{text-align:left;padding:.5rem 0;font-weight:600}
.amount{font-variant-numeric:tabular-nums}
.test{background:#fd4;color:#000;padding:.6rem 1rem;font-weight:600;border-radius:.3rem}
.fault{border-left:4px solid #c33;padding:.3rem .8rem}
input,button{font:inherit;padding:.5rem .8rem;border:1px solid #8888;border-radius:.3rem}
button{background:#246;color:#fff;border-color:#246;padding:.5rem 1.4rem}
input{width:16rem;max-width:100%;box-sizing:border-box}
.wide{overflow-x:auto}
.figures td,.figures tfoot td{text-align:right}
.figures th{text-align:right}
.figures td:first-child,.figures th:first-child{text-align:left;white-space:normal;min-width:9rem}
.figures tr>:last-child{padding-right:0}
.figures tfoot tr:last-child>*{font-weight:600}
td{overflow-wrap:anywhere}
@page{margin:18mm}
@media print{
:root{color-scheme:light}
body{max-width:none;margin:0;padding:0;font-size:10pt}
.wide{overflow:visible}
tr{break-inside:avoid}
}
`;

const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64');

/** Sends a page. Set `forms` when the page has forms; they may post only to this site. */
export function sendPage(
  reply: FastifyReply,
  { title, body, forms = false }: Readonly<{ title: string; body: Markup; forms?: boolean }>,
): FastifyReply {
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>${new Markup(STYLE)}</style>
</head>
<body>
${body}
</body>
</html>
`;
  return reply
    .headers({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy':
        `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; base-uri 'none'; ` +
        `form-action ${forms ? "'self'" : "'none'"}; frame-ancestors 'none'`,
      'cache-control': 'no-store',
      // With `no-referrer`, browsers would not report the origin of a form.
      'referrer-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
    })
    .send(page.text);
}
