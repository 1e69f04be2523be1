/**
 * What every router of a fleet has to have in common, in one list. The store keeps it: the first router writes it, and
 * one that differs is refused at its start. Of a secret the store has a fingerprint, and no message says more than its name.
 */
import type { RouterConfig } from '../config.ts';
import type { Secrets } from '../secrets.ts';
import { inPico } from '../../shared/api/fields.ts';
import { formatUsd } from '../../shared/money.ts';
import { fingerprintOf } from '../../shared/peppers.ts';

/** The name of a shared setting, and its value as JSON. */
export type FleetSetting = Readonly<{ name: string; value: string }>;

/** Each by the name that the configuration has for it. */
const SHARED: Readonly<Record<string, (config: RouterConfig) => unknown>> = {
  /** Keys begin with it. */
  brand: (config) => config.brand,
  /** One that waits for less time would free the holds of routers that are alive. */
  holdTtlMs: (config) => config.holdTtlMs,
  /** With different limits, customers would choose the router with the higher ones. */
  'limits.organization': ({ limits }) => limits.organization,
  'limits.key': ({ limits }) => limits.key,
  /** The sandbox gives credit for nothing. */
  'payments.provider': ({ payments }) => payments.provider,
  /** With different terms, customers would confirm their address on the router that gives more. */
  welcome: ({ welcome }) => ({ ...welcome, amount: formatUsd(inPico(welcome.amount)) }),
  'control.signUp': ({ control }) => control.signUp,
  /** What one router deletes is gone for all. */
  'retention.usageDays': ({ retention }) => retention.usageDays,
};

const PEPPERS = 'secrets: pepper';
const CACHE_SALT = 'secrets: cacheSalt';
const SECRET = [PEPPERS, CACHE_SALT];

/** What this router would have all routers have. */
export function sharedSettings(config: RouterConfig, secrets: Secrets): FleetSetting[] {
  const settings = Object.entries(SHARED).map(([name, read]) => settingOf(name, read(config)));
  return [...settings, ...secretSettings(secrets)];
}

/** The part of it that is about the secrets alone. */
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

/** How this router's settings differ from those of the fleet, a line for each. */
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

/** What changes where the fleet takes over this router's settings: peppers that are not used yet among it. */
export function changes(own: readonly FleetSetting[], fleet: readonly FleetSetting[]): string[] {
  const theirs = fleet.find(({ name }) => name === PEPPERS)?.value;
  const ours = own.find(({ name }) => name === PEPPERS)?.value;
  const lines = differences(own, fleet);
  if (theirs !== undefined && ours !== theirs && !lines.some((line) => line.startsWith(PEPPERS))) {
    lines.push(`${PEPPERS}: another is used for new digests`);
  }
  return lines;
}

/**
 * A pepper that the fleet does not use yet is no difference: while the secrets file is brought to one router after
 * another, some have the new pepper and others do not.
 */
function hasAll(own: string, theirs: string): boolean {
  const known = tagsIn(own);
  return tagsIn(theirs).every((tag) => known.includes(tag));
}

/** The tags of the peppers that the fleet uses; null: the store does not say yet. */
export function peppersOf(fleet: readonly FleetSetting[]): readonly string[] | null {
  const kept = fleet.find(({ name }) => name === PEPPERS);
  return kept ? tagsIn(kept.value) : null;
}

function tagsIn(value: string): string[] {
  return JSON.parse(value) as string[];
}
