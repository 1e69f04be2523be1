/**
 * Receives the announcements of procedures on all routers: LISTEN on a connection of its own, which
 * is reopened when it is lost.
 */
import type pg from 'pg';
import type { Clock, Timer } from '../../../shared/clock.ts';
import type { OrganizationId } from '../../../shared/ids.ts';
import type { Log } from '../../../shared/log.ts';
import { within } from '../deadline.ts';
import { connect, CONNECT_MS_MAX } from './connect.ts';

export const CHANNEL = 'penstock_organizations';
const AGAIN_MS = 1_000;

export type AnnouncementListener = (organization: OrganizationId | null) => void;

export class Announcements implements AsyncDisposable {
  readonly #parts: Readonly<{ url: string; clock: Clock; log: Log }>;
  readonly #listeners = new Set<AnnouncementListener>();
  #client: pg.Client | null = null;
  #again: Timer | null = null;
  #closed = false;

  constructor(parts: Readonly<{ url: string; clock: Clock; log: Log }>) {
    this.#parts = parts;
  }

  add(listener: AnnouncementListener): void {
    this.#listeners.add(listener);
  }

  /**
   * Never rejects, because every admission is checked against the store, whether or not a change
   * was announced (MONEY 11).
   */
  async listen(): Promise<void> {
    let client: pg.Client | null = null;
    const lost = () => {
      // An earlier connection may end after the next one has begun.
      if (this.#client === client) this.#lost();
    };
    try {
      client = await connect(this.#parts, {}, lost);
      client.on('end', lost);
      client.on('notification', ({ payload }) => this.#notify(payload as OrganizationId));
      if (this.#closed) return await client.end();
      this.#client = client;
      const listening = client.query(`LISTEN ${CHANNEL}`);
      await within(this.#parts.clock, CONNECT_MS_MAX, 'LISTEN', listening);
    } catch {
      this.#lost();
      // A standby accepts connections, but cannot listen.
      void client?.end().catch(() => {});
    }
  }

  #notify(organization: OrganizationId | null): void {
    for (const listener of this.#listeners) listener(organization);
  }

  #lost(): void {
    this.#client = null;
    if (this.#closed || this.#again) return;
    const { clock, log } = this.#parts;
    log.warn({ retryMs: AGAIN_MS }, 'failed to listen for announcements');
    this.#again = clock.after(AGAIN_MS, () => void this.#listenAgain());
  }

  async #listenAgain(): Promise<void> {
    this.#again = null;
    await this.listen();
    // Announcements in between were missed.
    if (this.#client) this.#notify(null);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closed = true;
    this.#again?.cancel();
    await this.#client?.end().catch(() => {});
  }
}
