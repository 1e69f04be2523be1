/** The one door for what a provider says, by webhook, by its answer, or when it is asked. */
import type { Clock } from '../../../shared/clock.ts';
import type { Log } from '../../../shared/log.ts';
import type { Store } from '../../store/store.ts';
import { type Applied, applyEvent, type ToldFrom, whoseEvent } from './events.ts';
import type { ProviderEvent } from './provider.ts';

/** `event`: a provider told of what should not be. `undecided`: it does not say what became of something. */
export type PaymentAlarm = 'event' | 'undecided';

export type TellParts = Readonly<{
  store: Pick<Store, 'call'>;
  clock: Clock;
  log: Log;
  /** Counts what an operator should look at; the log has the rest. */
  onAlarm?: ((alarm: PaymentAlarm) => void) | undefined;
}>;

/**
 * Resolves once what was told is durable. `too_early` and `over_limit` are to be answered so that the provider
 * tells it again.
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
    // What names a payment as the provider calls it may be told before that it was paid.
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
