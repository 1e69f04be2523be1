/**
 * Starts recharges: every few seconds for all organizations with a low balance, and at once for an
 * organization that was just refused for lack of credit. Whether a recharge is due is decided in
 * the store.
 */
import { SpacedCalls } from '../../../shared/bounds/spaced-calls.ts';
import { mintId, type OrganizationId } from '../../../shared/ids.ts';
import type { ScheduledTask } from '../../jobs/scheduler.ts';
import type { ControlParts } from '../parts.ts';
import type { PaymentProvider } from '../payments/provider.ts';
import { findDueRecharges, startRecharge } from './procedures.ts';

const EVERY_MS = 5_000;
const AT_ONCE_MAX = 100;
/**
 * An organization without credit may be refused thousands of times a second. After the first
 * refusal, the task is enough.
 */
const REFUSED = { everyMs: EVERY_MS, keysMax: 10_000 } as const;

export type RechargerParts = Pick<ControlParts, 'store' | 'clock' | 'random' | 'log'> &
  Readonly<{
    provider: PaymentProvider;
    /** Called when a charge job was enqueued. */
    onStarted: () => void;
  }>;

export class Recharger {
  readonly #parts: RechargerParts;
  readonly #refused: SpacedCalls<OrganizationId>;

  constructor(parts: RechargerParts) {
    this.#parts = parts;
    this.#refused = new SpacedCalls(parts.clock, REFUSED);
  }

  get task(): ScheduledTask {
    return { name: 'recharge', everyMs: EVERY_MS, run: () => this.#startDue(null) };
  }

  /** Reports that a request was refused for lack of credit. Never rejects. */
  async exhausted(organization: OrganizationId): Promise<void> {
    const { log } = this.#parts;
    if (!this.#refused.passes(organization)) return;
    try {
      // Most organizations have no auto-recharge; for them this only reads.
      await this.#startDue(organization);
    } catch (error) {
      log.warn({ err: error }, 'failed to start a recharge');
    }
  }

  async start(organization: OrganizationId): Promise<void> {
    const { store, clock, random, provider, onStarted } = this.#parts;
    const answer = await store.call(startRecharge, {
      organization,
      provider: provider.name,
      payment: mintId('payment', clock, random),
      audit: mintId('audit', clock, random),
      now: clock.now(),
    });
    if (answer === 'started') onStarted();
  }

  /**
   * Starts the due recharges of the organization `only`, or of all organizations when it is null.
   */
  async #startDue(only: OrganizationId | null): Promise<void> {
    const { store, clock, provider } = this.#parts;
    const ask = { only, provider: provider.name, now: clock.now(), limit: AT_ONCE_MAX };
    for (const organization of await store.call(findDueRecharges, ask)) {
      await this.start(organization);
    }
  }
}
