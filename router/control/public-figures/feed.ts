/**
 * The incidents as an Atom feed (RFC 4287), to which people and their chat programs subscribe. Each
 * update of an incident is an entry, so that subscribers also hear of its end.
 */
import { createHash } from 'node:crypto';
import type { Incident } from '../../../shared/api/incidents.ts';
import { DAY_MS } from '../../../shared/durations.ts';
import { isoInstant } from '../api.ts';
import { affectedBy, titleOf } from '../incidents/words.ts';

/** The most entries of the feed, the newest first. */
export const FEED_ENTRIES_MAX = 50;
/** The address of the feed in the dashboard's origin. */
export const FEED_PATH = '/status.atom';

export type Feed = Readonly<{
  bytes: Uint8Array;
  /** Changes only if an entry does, so that programs that ask again get no answer twice. */
  etag: string;
}>;

type FeedParts = Readonly<{
  incidents: readonly Incident[];
  /** The names of models by their ids. */
  names: ReadonlyMap<string, string>;
  /** The dashboard's origin. */
  origin: string;
  /** Who operates the service. */
  author: string;
  /** In ms since the epoch. */
  now: number;
}>;

export function incidentFeed({ incidents, names, origin, author, now }: FeedParts): Feed {
  const status = `${origin}/status`;
  const entries = incidents
    .flatMap((incident) => incident.updates.map((update, at) => ({ incident, update, at })))
    .toSorted((one, other) => other.update.created.localeCompare(one.update.created))
    .slice(0, FEED_ENTRIES_MAX);
  // A feed without entries must say when it changed, too.
  const updated = entries[0]?.update.created ?? isoInstant(now - (now % DAY_MS));
  const lines = [
    '<?xml version="1.0" encoding="utf-8"?>',
    '<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="en">',
    '<title>Penstock status</title>',
    '<subtitle>Incidents and their updates</subtitle>',
    `<id>${inXml(status)}</id>`,
    `<link rel="alternate" type="text/html" href="${inXml(status)}"/>`,
    `<link rel="self" type="application/atom+xml" href="${inXml(origin + FEED_PATH)}"/>`,
    `<updated>${updated}</updated>`,
    `<author><name>${inXml(author)}</name></author>`,
    ...entries.flatMap(({ incident, update, at }) => {
      const page = `${status}#${incident.id}`;
      // The newest update comes first, and none is deleted.
      const number = incident.updates.length - at;
      const models = incident.models.map((id) => names.get(id) ?? id);
      const affected = affectedBy({ models, regions: incident.regions });
      return [
        '<entry>',
        `<id>${inXml(`${page}-${number}`)}</id>`,
        `<title>${inXml(titleOf(incident.title, update.state))}</title>`,
        `<link rel="alternate" type="text/html" href="${inXml(page)}"/>`,
        `<published>${update.created}</published>`,
        `<updated>${update.created}</updated>`,
        `<content type="html">${inXml(asHtml(`${update.message}\n\n${affected}`))}</content>`,
        '</entry>',
      ];
    }),
    '</feed>',
  ];
  const bytes = new TextEncoder().encode(`${lines.join('\n')}\n`);
  const digest = createHash('sha256').update(bytes).digest('base64url').slice(0, 22);
  return { bytes, etag: `"${digest}"` };
}

/** Readers of feeds may join the lines of a plain text, so that its paragraphs are marked up. */
function asHtml(text: string): string {
  return text
    .split(/\n{2,}/)
    .map((paragraph) => `<p>${escaped(paragraph).replaceAll('\n', '<br>')}</p>`)
    .join('');
}

const ESCAPED: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};

function escaped(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => ESCAPED[character] ?? character);
}

/** Escapes a text for an element or an attribute, and replaces what XML 1.0 does not allow. */
function inXml(text: string): string {
  return escaped(
    text
      .toWellFormed()
      // oxlint-disable-next-line no-control-regex -- These are what XML does not allow.
      .replaceAll(/[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/g, '\uFFFD'),
  );
}
