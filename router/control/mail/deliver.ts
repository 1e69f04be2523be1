/** Sends the emails that are queued as jobs. Each attempt creates a new link. */
import type { JobHandler } from '../../jobs/runner.ts';
import type { ControlParts } from '../parts.ts';
import { copyIncidentLetter } from './incident-letters.ts';
import { type LinkPurpose, LINKS, mintLink } from './links.ts';
import { addressLetter, copyLetter, type Sending } from './recipients.ts';
import type { Transport } from './transport.ts';
import { unsubscribeUrl } from './unsubscribe.ts';
import { wordsOf } from './words.ts';

export type LetterParts = Pick<ControlParts, 'store' | 'clock' | 'random' | 'pepper'> &
  Readonly<{
    urls: Readonly<{ dashboard: string }>;
    transport: Transport;
    /** The name of a model, by its id. */
    nameOfModel: (id: string) => string;
  }>;

export function letterHandler(parts: LetterParts): JobHandler {
  const { store, clock, urls, transport } = parts;
  return async ({ id, idempotencyKey, payload }) => {
    const letter = payload as Sending;
    const now = clock.now();
    if ('organization' in letter && !('recipient' in letter)) {
      const recipients = await store.call(copyLetter, { letter, idempotencyKey, now });
      return recipients === 0 ? { recipients, unsent: 'nobody_in_charge' } : { recipients };
    }
    if (letter.kind === 'incident' && !('recipient' in letter)) {
      return await store.call(copyIncidentLetter, { letter, now });
    }
    const purpose = letter.kind in LINKS ? (letter.kind as LinkPurpose) : null;
    const minted = purpose && mintLink(parts, purpose);
    const link = minted && purpose && { digest: minted.digest, purpose };
    const addressed = await store.call(addressLetter, { job: id, letter, link, now });
    if (typeof addressed === 'string') return { recipients: 0, unsent: addressed };
    const url = minted?.url ?? null;
    const unsubscribe =
      letter.kind === 'incident' ? unsubscribeUrl(parts, letter.recipient) : undefined;
    const { news } = addressed;
    const facts = {
      ...addressed,
      ...(news && { news: { ...news, models: news.models.map(parts.nameOfModel) } }),
      link: url,
      unsubscribe,
      dashboard: urls.dashboard,
    };
    const words = wordsOf(letter, facts);
    await transport.send({ id, to: addressed.to, ...words, link: url, unsubscribe });
    return { recipients: 1 };
  };
}
