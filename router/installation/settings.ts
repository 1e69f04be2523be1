/**
 * The settings that every router of a fleet has to share. The store keeps them: the first router
 * writes them, and a router that differs is refused at its start. For a secret the store has a
 * fingerprint, and messages give only its name.
 */
import { formatUsd, inPico } from '../../shared/money.ts';
import { fingerprintOf } from '../../shared/peppers.ts';
import type { RouterConfig } from '../config.ts';
import type { Secrets } from '../secrets.ts';

/** The name of a shared setting, and its value as JSON. */
export type FleetSetting = Readonly<{ name: string; value: string }>;

/** Under the names that the configuration uses. */
const SHARED: Readonly<Record<string, (config: RouterConfig) => unknown>> = {
  /** The prefix of API keys. */
  brand: (config) => config.brand,
  /** A router with a shorter TTL would free the holds of routers that are alive. */
  holdTtlMs: (config) => config.holdTtlMs,
  /** With different limits, customers would choose the router with the higher ones. */
  'limits.organization': ({ limits }) => limits.organization,
  'limits.key': ({ limits }) => limits.key,
  /** The sandbox gives credit without payment. */
  'payments.provider': ({ payments }) => payments.provider,
  /** With different terms, customers would confirm their address on the router that gives more. */
  welcome: ({ welcome }) => ({ ...welcome, amount: formatUsd(inPico(welcome.amount)) }),
  /** Receipts of one series must have one seller. */
  seller: ({ seller }) => {
    if (!seller) return null;
    // The instructions are a setting of their own, because an earlier version has none in this value.
    const { paymentInstructions: _, ...rest } = seller;
    return rest;
  },
  /** With different instructions, customers would pay into different accounts. */
  'seller.paymentInstructions': ({ seller }) => seller?.paymentInstructions ?? '',
  'control.signUp': ({ control }) => control.signUp,
  /** What one router deletes is deleted for all. */
  'retention.usageDays': ({ retention }) => retention.usageDays,
};

const PEPPERS = 'secrets: pepper';
const CACHE_SALT = 'secrets: cacheSalt';
const SECRET = [PEPPERS, CACHE_SALT];

/** The shared settings, with this router's values. */
export function sharedSettings(config: RouterConfig, secrets: Secrets): FleetSetting[] {
  const settings = Object.entries(SHARED).map(([name, read]) => settingOf(name, read(config)));
  return [...settings, ...secretSettings(secrets)];
}

/** Those of the shared settings that come from the secrets. */
export function secretSettings({ peppers, cacheSalt }: Secrets): FleetSetting[] {
  return [
    settingOf(
      PEPPERS,
      peppers.map(({ tag }) => tag),
    ),
    settingOf(CACHE_SALT, fingerprintOf(cacheSalt, 'cacheSalt')),
  ];
}

function settingOf(name: string, value: unknown): FleetSetting {
  return { name, value: JSON.stringify(value) };
}

/** Lists how this router's settings differ from the fleet's; what the fleet lacks is skipped. */
export function differences(
  own: readonly FleetSetting[],
  fleet: readonly FleetSetting[],
): string[] {
  const kept = new Map(fleet.map(({ name, value }) => [name, value]));
  return own.flatMap(({ name, value }) => {
    const theirs = kept.get(name);
    if (theirs === undefined || theirs === value) return [];
    if (name === PEPPERS) return hasAll(value, theirs) ? [] : [`${name} is not the fleet's`];
    if (SECRET.includes(name)) return [`${name} is not the fleet's`];
    return [`${name} is ${value} here, and ${theirs} in the fleet`];
  });
}

/** Lists what changes if the fleet takes these settings, including peppers not used yet. */
export function changes(own: readonly FleetSetting[], fleet: readonly FleetSetting[]): string[] {
  const theirs = fleet.find(({ name }) => name === PEPPERS)?.value;
  const ours = own.find(({ name }) => name === PEPPERS)?.value;
  const lines = differences(own, fleet);
  if (theirs !== undefined && ours !== theirs && !lines.some((line) => line.startsWith(PEPPERS))) {
    lines.push(`${PEPPERS}: new digests use another pepper`);
  }
  return lines;
}

/**
 * A pepper that the fleet does not use yet is no difference: while the secrets file is rolled out,
 * some routers have the new pepper and others do not.
 */
function hasAll(own: string, theirs: string): boolean {
  const known = tagsIn(own);
  return tagsIn(theirs).every((tag) => known.includes(tag));
}

/** Returns the tags of the peppers that the fleet uses; null if the store has none yet. */
export function peppersOf(fleet: readonly FleetSetting[]): readonly string[] | null {
  const kept = fleet.find(({ name }) => name === PEPPERS);
  return kept ? tagsIn(kept.value) : null;
}

function tagsIn(value: string): string[] {
  return JSON.parse(value) as string[];
}
