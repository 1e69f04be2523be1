/** What a scene is: something terrible is done to the service under load, and the oracle judges. */
import { Fleet, type FleetOptions } from './fleet.ts';
import { countEndings } from './oracle.ts';
import type { PostgresServer } from './postgres-server.ts';

export type StoreKind = 'sqlite' | 'postgres';

export type Stage = Readonly<{
  store: StoreKind;
  /** The server whose databases the scene may take; null on SQLite. */
  postgres: PostgresServer | null;
  /** A fleet that several scenes play on, one after the other; each has its own if there is none. */
  fleet?: Fleet;
  /** Chance is seeded, so that a run can be repeated as far as the machine allows. */
  seed: number;
  /** How long a scene that is measured in minutes is to last; its own length if not given. */
  minutes?: number;
}>;

export type Figures = Record<string, number | string>;

/** What a scene came to; it is passed when there is no violation. */
export type Outcome = Readonly<{ figures: Figures; violations: readonly string[] }>;

/** A scene that this machine cannot play. */
export class Skipped extends Error {
  override name = 'Skipped';
}

/** What a scene plays on, and from which call on the client's log is its own. */
export type Loan = Readonly<{ fleet: Fleet; from: number }> & AsyncDisposable;

/** The stage's fleet, or one for this scene alone. */
export async function borrow(stage: Stage, options: FleetOptions): Promise<Loan> {
  if (stage.fleet) {
    const { fleet } = stage;
    return { fleet, from: fleet.log.calls.length, [Symbol.asyncDispose]: async () => {} };
  }
  const fleet = await Fleet.start({ postgres: stage.postgres, ...options });
  return { fleet, from: 0, [Symbol.asyncDispose]: () => fleet[Symbol.asyncDispose]() };
}

/**
 * Judges a fleet at the end of a scene; the client's log is kept where something is wrong. `crashes`: whether an
 * answer may be charged that its client did not see complete (MONEY 17).
 */
export async function conclude(
  { fleet, from }: Pick<Loan, 'fleet' | 'from'>,
  rules: Readonly<{ crashes: boolean }>,
  figures: Figures,
  faults: readonly string[] = [],
): Promise<Outcome> {
  const { counts, violations, waitedMs } = await fleet.judge(rules);
  const { complete, cut, refused } = countEndings(fleet.log.calls.slice(from));
  const all = [...faults, ...violations];
  return {
    figures: {
      ...figures,
      complete,
      cut,
      refused,
      'charged incomplete': counts.chargedIncomplete,
      'holds left': counts.holds,
      'holds gone after ms': waitedMs,
    },
    violations: all.length === 0 ? all : [...all, `the client's log is in ${fleet.keep()}`],
  };
}
