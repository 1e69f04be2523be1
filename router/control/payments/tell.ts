/**
 * The single entry point for a provider's events, whether from a webhook, from its response, or
 * from a lookup.
 */
import type { Clock } from '../../../shared/clock.ts';
import type { Log } from '../../../shared/log.ts';
import type { Store } from '../../store/store.ts';
import { type Applied, applyEvent, whoseEvent } from './events.ts';
import type { ProviderEvent } from './provider.ts';
import type { ToldFrom } from './told.ts';

/**
 * `event`: a provider reported something unexpected. `undecided`: a provider does not report a
 * result.
 */
export type PaymentAlarm = 'event' | 'undecided';

export type TellParts = Readonly<{
  store: Pick<Store, 'call'>;
  clock: Clock;
  log: Log;
  /** Counts problems that an operator should look at. Details are in the log. */
  onAlarm?: ((alarm: PaymentAlarm) => void) | undefined;
}>;

/**
 * Applies an event, and resolves once its effect is durable. For `too_early` and `over_limit`, the
 * caller must answer so that the provider sends the event again.
 */
export async function tellEvent(
  { store, clock, log, onAlarm }: TellParts,
  provider: string,
  event: ProviderEvent,
  from?: ToldFrom,
): Promise<Applied> {
  const about = { provider, event: event.event, kind: event.kind };
  const whose = await store.call(whoseEvent, { provider, event });
  if (!whose) {
    // An event that refers to the provider's payment id may arrive before the event that the
    // payment was paid.
    const outcome = 'reference' in event && event.kind !== 'paid' ? 'too_early' : 'ignored';
    const alarm = 'a provider tells of what is none of ours';
    log.error({ ...about, outcome }, alarm);
    onAlarm?.('event');
    return { outcome, alarm };
  }
  const told = { provider, event, whose, now: clock.now() };
  const applied = await store.call(applyEvent, { ...told, ...(from && { from }) });
  if (applied.alarm !== null) {
    log.error({ ...about, payment: whose.payment, outcome: applied.outcome }, applied.alarm);
    onAlarm?.('event');
  }
  return applied;
}
