/** A provider's event on its way into the store. */
import type { OrganizationId, PaymentId } from '../../../shared/ids.ts';
import type { ProviderEvent } from './provider.ts';

/** `payment` is null when the event is about the organization's payment method. */
export type Whose = Readonly<{ organization: OrganizationId; payment: PaymentId | null }>;

export type Telling = Readonly<{ provider: string; event: ProviderEvent }>;

/** The client address and id of the request that brought the event, if a request did. */
export type ToldFrom = Readonly<{ address: string; request: string }>;

/**
 * `whose` is the answer of `whoseEvent`, and is checked again here. It tells which organization to
 * announce, so that all routers learn of a suspension.
 */
export type Told = Telling & Readonly<{ whose: Whose; now: number; from?: ToldFrom }>;
