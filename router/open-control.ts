/** Opens the control plane: the management API, its background jobs and the payment provider. */
import { inPico } from '../shared/money.ts';
import { systemRandom as random } from '../shared/random.ts';
import type { Base, Plane } from './base.ts';
import { hostNamesOf } from './config.ts';
import { type BackgroundJobs, openBackgroundJobs } from './control/background-jobs.ts';
import type { SandboxParts } from './control/checkout/sandbox.ts';
import { Drawings } from './control/documents/drawings.ts';
import { type ConfiguredSeller, isSellerMissing } from './control/documents/parties.ts';
import { openTransport } from './control/mail/transport.ts';
import { configuredProvider } from './control/payments/configured.ts';
import type { PaymentAlarm, PaymentProvider } from './control/payments/provider.ts';
import { Passwords } from './control/people/passwords.ts';
import { NO_SELLER } from './control/platform/router-alarms.ts';
import type { RouterWatch } from './control/platform/router-watch.ts';
import type { PublicUrls } from './control/public-urls.ts';
import { type Control, makeControl } from './control/server.ts';
import {
  countEmails,
  countManagement,
  countPaymentAlarms,
  countRuns,
  watchBacklog,
  watchReady,
} from './metrics/work.ts';
import { watchReadiness } from './readiness.ts';
import { checkStripeKeys } from './secrets.ts';

export async function openControl(
  base: Base,
  { ledger, catalog, fleet, audit }: Plane,
  urls: PublicUrls,
  watch: RouterWatch,
): Promise<{ control: Control; backgroundJobs: BackgroundJobs }> {
  const { config, settings, parts, log, metrics, store, clock, stopSignal } = base;
  const countAlarm = countPaymentAlarms(metrics);
  const onAlarm = (alarm: PaymentAlarm) => {
    countAlarm(alarm);
    watch.note('payment', alarm);
  };
  const seller = sellerOf(config);
  const basics = { store, clock, random, log, urls, pepper: base.pepper, seller, onAlarm };
  const common = { ...basics, provider: await openPayments(base, basics) };
  if (isSellerMissing(common)) log.warn(NO_SELLER);
  const { mail, retention, webhooks } = config;
  const incarnation = () => ledger.incarnation;
  const isPaused = () => clock.fault !== null;
  const transport = countEmails(metrics, await openTransport(mail, log));
  const { onTask: countTask, ...counts } = countRuns(metrics);
  const onTask: typeof countTask = (task, result) => {
    countTask(task, result);
    watch.taskEnded(task, result);
  };
  const runs = { ...counts, onTask };
  const notReadyBecause = watchReadiness({ ledger, clock, fleet, stopSignal });
  watchReady(metrics, notReadyBecause);
  const control = await makeControl({
    ...common,
    operator: config.operator,
    webhooks,
    catalog,
    fleet,
    brand: config.brand,
    passwords: new Passwords(),
    drawings: parts.use(new Drawings({ log })),
    signUp: config.control.signUp,
    publicModels: config.control.publicModels ?? config.control.signUp === 'open',
    mailboxSecret: base.secrets.cacheSalt,
    welcome: { ...config.welcome, amount: inPico(config.welcome.amount) },
    defaultLimits: () => settings.limits.organization,
    trustedProxies: config.control.trustedProxies,
    alarmsOf: (worker) => audit.alarms.of(worker),
    watch,
    incarnation,
    notReadyBecause,
    onResponse: countManagement(metrics),
    allowedHosts: hostNamesOf(config),
  });
  const nameOfModel = (id: string) => catalog.get(id)?.entry.name ?? id;
  const jobParts = {
    ...common,
    ...runs,
    transport,
    retention,
    webhooks,
    incarnation,
    isPaused,
    nameOfModel,
  };
  const tasks = [control.alarmsTask];
  const backgroundJobs = openBackgroundJobs({ ...jobParts, tasks });
  watchBacklog(metrics, { backlog: () => backgroundJobs.backlog, clock });
  parts.use(backgroundJobs);
  return { control: parts.use(control), backgroundJobs };
}

function sellerOf({ seller }: Base['config']): ConfiguredSeller | null {
  if (!seller) return null;
  const { taxId, paymentInstructions, ...rest } = seller;
  return { ...rest, tax_id: taxId, payment_instructions: paymentInstructions };
}

async function openPayments(
  { config, secrets }: Base,
  parts: SandboxParts,
): Promise<PaymentProvider | null> {
  checkStripeKeys(config, secrets);
  return await configuredProvider(config.payments, { ...parts, stripe: secrets.stripe });
}
