/**
 * A scene: a fault or an attack hits the service under load, and the oracle checks the books
 * afterwards.
 */
import { Fleet, type FleetOptions } from './fleet.ts';
import { countEndings } from './oracle.ts';
import type { PostgresServer } from './postgres-server.ts';

/** A line of a router's log with a warning or an error. */
const WARNING = /"level":"?(?:[456]0|warn|error|fatal)/;
const WARNINGS_MAX = 30;

export type StoreKind = 'sqlite' | 'postgres';

export type Stage = Readonly<{
  store: StoreKind;
  /** The server on which the scene may create databases. Null on SQLite. */
  postgres: PostgresServer | null;
  /** A fleet that several scenes use one after the other. Without it, each scene starts its own. */
  fleet?: Fleet;
  /** The seed of all randomness, so that a run can be repeated as far as the machine allows. */
  seed: number;
  /** The length of a scene that is measured in minutes. Default: the scene's own length. */
  minutes?: number;
}>;

export type Figures = Record<string, number | string>;

/** A scene's result. The scene passed if there is no violation. */
export type Outcome = Readonly<{ figures: Figures; violations: readonly string[] }>;

/** Thrown by a scene that this machine cannot run. */
export class Skipped extends Error {
  override name = 'Skipped';
}

/** The fleet of a scene. The scene's own calls begin at index `from` of the client's log. */
export type Loan = Readonly<{ fleet: Fleet; from: number }> & AsyncDisposable;

/** Returns the stage's fleet, or starts one for this scene alone. */
export async function borrow(stage: Stage, options: FleetOptions): Promise<Loan> {
  if (stage.fleet) {
    const { fleet } = stage;
    return { fleet, from: fleet.log.calls.length, [Symbol.asyncDispose]: async () => {} };
  }
  const fleet = await Fleet.start({ postgres: stage.postgres, ...options });
  return { fleet, from: 0, [Symbol.asyncDispose]: () => fleet[Symbol.asyncDispose]() };
}

/**
 * Judges a fleet at the end of a scene. The client's log is kept if there are violations.
 * `crashes`: whether an answer may be charged that its client did not see complete (MONEY 17).
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
    violations: all.length === 0 ? all : [...all, ...(await evidence(fleet))],
  };
}

/** What a violation is investigated with. */
async function evidence(fleet: Fleet): Promise<string[]> {
  const warnings = fleet.routers.flatMap(({ process: { name, output } }) =>
    output.split('\n').flatMap((line) => (WARNING.test(line) ? [`${name}: ${line}`] : [])),
  );
  return [
    ...warnings.slice(-WARNINGS_MAX),
    `the client's log and the routers' output are in ${await fleet.keep()}`,
  ];
}
