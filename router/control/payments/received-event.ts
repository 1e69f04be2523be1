/** A provider's event on its way into the store. */
import type { OrganizationId, PaymentId } from '../../../shared/ids.ts';
import type { ConfiguredSeller } from '../documents/parties.ts';
import type { ProviderEvent } from './provider.ts';

/** `payment` is null when the event is about the organization's payment method. */
export type EventSubject = Readonly<{ organization: OrganizationId; payment: PaymentId | null }>;

export type ReceivedEvent = Readonly<{ provider: string; event: ProviderEvent }>;

/** The client address and id of the request that brought the event, if a request did. */
export type EventOrigin = Readonly<{ address: string; request: string }>;

/**
 * `subject` is the answer of `findEventSubject`, and is checked again when the event is applied. It
 * names the organization to invalidate, so that all routers see a suspension.
 */
export type AttributedEvent = ReceivedEvent &
  Readonly<{
    subject: EventSubject;
    /** The seller on the receipt, if the event reports a payment. */
    seller: ConfiguredSeller | null;
    now: number;
    from?: EventOrigin;
  }>;
