/** The webhook for payment providers. Its requests are authenticated by their signature. */
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { limits } from '../../../shared/limits.ts';
import { type Api, Refused } from '../api.ts';
import { ingestEvent, type IngestParts } from './ingest-event.ts';
import type { PaymentProvider } from './provider.ts';

/** Providers look only at the status. */
const Taken = z.object({ received: z.literal(true) });

export type WebhookParts = IngestParts &
  Readonly<{
    /** Null when this router accepts no payments. */
    provider: PaymentProvider | null;
  }>;

export function providerEventRoutes(api: Api, parts: WebhookParts): void {
  // A plugin of its own: the signature covers the raw bytes, so no parser may touch them.
  api.register(async (raw: Api) => {
    raw.removeAllContentTypeParsers();
    raw.addContentTypeParser('*', (request: FastifyRequest) =>
      request.readBody(limits.eventBodyBytesMax),
    );
    stripeWebhook(raw, parts);
  });
}

function stripeWebhook(api: Api, parts: WebhookParts): void {
  const { provider, log } = parts;
  api.post(
    '/webhooks/stripe',
    {
      config: { access: 'public', action: 'payment.hear', fromAnyOrigin: true },
      schema: {
        summary:
          'The webhook for Stripe; a signed event is acknowledged once its effect is durable',
        tags: ['payments'],
        response: { 200: Taken },
      },
    },
    async ({ body, headers, ip: address, id: request }) => {
      if (provider?.name !== 'stripe') throw new Refused('not_found');
      if (!Buffer.isBuffer(body)) throw new Refused('bad_request', 'The request has no event.');
      const event = await provider.read(body, headers).catch((error: unknown) => {
        if (error instanceof Refused) throw error;
        log.error({ request, err: error }, 'failed to read a provider event');
        throw new Refused('provider_failed');
      });
      // Accept an irrelevant event, or the provider would resend it for days.
      if (!event) return { received: true as const };
      const { outcome } = await ingestEvent(parts, provider.name, event, { address, request });
      if (outcome === 'too_early' || outcome === 'over_limit') {
        throw new Refused('conflict', 'The event cannot be applied yet: send it again later.');
      }
      return { received: true as const };
    },
  );
}
