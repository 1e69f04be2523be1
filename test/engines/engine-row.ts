/** What the suite knows of an engine. */
import type { Model, Packages } from './cache.ts';
import type { GoProgram } from './go-program.ts';

/** The name under which every engine serves the model. */
export const SERVED = 'Penstock/Test';

/**
 * What an engine cannot do: the check that it does not pass, why, and how that check fails. A check
 * that passes all the same, or fails otherwise, fails the run.
 */
export type Limit = Readonly<{ check: string; why: string; fails: RegExp }>;

export type EngineRow = (Packages | GoProgram) &
  Readonly<{
    name: string;
    /** Whether its package is built for some processors only. */
    forSomeProcessors?: true;
    /** Whether it is tested only if PENSTOCK_ENGINES names it. */
    onlyAsked: boolean;
    command(model: Model, port: number): readonly [string, ...string[]];
    env?: Readonly<Record<string, string>>;
    /** Makes what the engine reads besides the model, before its first start. */
    prepare?(model: Model): Promise<void>;
    /** Where it says that it is up, if not at `/health`. */
    healthPath?: string;
    limits?: readonly Limit[];
    /** How the agent names it. */
    title: RegExp;
    /** What the agent must note about it, and nothing else. */
    notes: readonly string[];
    /** Its counters of prompt tokens, whose sum is all of them, and of generated tokens, if any. */
    promptCounters: readonly string[];
    generatedCounter: string | null;
    runningGauge: string | null;
    /** Whether it keeps the caches of organizations apart. */
    salted: boolean;
  }>;
