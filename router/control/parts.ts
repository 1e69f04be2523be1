/**
 * What the control plane is made of. `main.ts` makes each part once, and a route or a task names
 * with `Pick` those that it uses.
 */
import type { Clock } from '../../shared/clock.ts';
import type { IncarnationId } from '../../shared/ids.ts';
import type { Log } from '../../shared/log.ts';
import type { Peppers } from '../../shared/peppers.ts';
import type { Random } from '../../shared/random.ts';
import type { LiveCatalog } from '../catalog/live.ts';
import type { Fleet } from '../fleet/fleet.ts';
import type { RateLimits } from '../ledger/terms.ts';
import type { Store } from '../store/store.ts';
import type { Drawings } from './documents/drawings.ts';
import type { ConfiguredSeller } from './documents/parties.ts';
import type { PaymentAlarm, PaymentProvider } from './payments/provider.ts';
import type { Passwords } from './people/passwords.ts';
import type { RouterWatch } from './platform/router-watch.ts';
import type { PublicUrls } from './public-urls.ts';
import type { OperatorSetting } from './operator-setting.ts';
import type { WebhookSettings } from './webhooks/send.ts';
import type { WelcomeTerms } from './welcome/terms.ts';

/** A response of the management API. `route` is the pattern of its path. */
export type EndedResponse = Readonly<{ route: string | undefined; status: number; ms: number }>;

export type ControlParts = Readonly<{
  store: Pick<Store, 'call'>;
  clock: Clock;
  random: Random;
  log: Log;
  pepper: Peppers;
  urls: PublicUrls;
  catalog: Pick<LiveCatalog, 'models' | 'status'>;
  fleet: Pick<
    Fleet,
    'sessionOf' | 'gone' | 'serving' | 'workers' | 'drainWorker' | 'undrainWorker'
  >;
  /** Null when this router accepts no payments. */
  provider: PaymentProvider | null;
  /** The seller on receipts and invoices. Null when none is configured. */
  seller: ConfiguredSeller | null;
  /** How customers reach the operator, and the addresses of the terms, as far as they are set. */
  operator: OperatorSetting;
  /** Draws receipts and invoices as PDFs. */
  drawings: Pick<Drawings, 'draw'>;
  /** Counts problems that an operator should look at. Details are in the log. */
  onAlarm?: ((alarm: PaymentAlarm) => void) | undefined;
  /** The alarms that the audit has raised about a worker. */
  alarmsOf: (worker: string) => readonly Readonly<{ kind: string; count: number; last: number }>[];
  /** What this router has noticed since it started. */
  watch: RouterWatch;
  /** The present id of this router. */
  incarnation: () => IncarnationId;
  /** Called when a response of the management API has ended. */
  onResponse?: ((ended: EndedResponse) => void) | undefined;
  passwords: Passwords;
  webhooks: WebhookSettings;
  /** The prefix of API keys. */
  brand: string;
  /** `open`: anybody may sign up. `invited`: only people with an invitation. */
  signUp: 'open' | 'invited';
  /** Whether people who are not signed in may see the models, their figures and their state. */
  publicModels: boolean;
  welcome: WelcomeTerms;
  /** The limits of organizations that have none of their own. They can change at any time. */
  defaultLimits: () => RateLimits;
  /** The key of the mailbox digests. It is never rotated. */
  mailboxSecret: Uint8Array;
  /** Addresses or networks of the proxies whose forwarding headers are trusted. */
  trustedProxies: readonly string[];
  /** Accepted `Host` names besides localhost and IP addresses. If omitted, any name is accepted. */
  allowedHosts?: readonly string[];
  /** Why no requests are served at the moment; null while they are. `/readyz` reports it. */
  notReadyBecause: () => string | null;
}>;
