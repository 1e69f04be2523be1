/**
 * What the agent knows of an engine's kind and abilities. Discovery finds it out, and the engine's
 * answers correct it.
 */
import type { Dialect, MetricNames } from './dialects/dialect.ts';
import { openai } from './dialects/openai.ts';
import type { ReasoningSupport } from './reasoning-support.ts';

export type EngineProfile = Readonly<{
  dialect: Dialect;
  version: string | null;
  /** A random id of this start of the engine's process, as far as a restart can be detected. */
  boot: string;
  /** Null when the engine has no metrics page, or it is not enabled. */
  metrics: MetricNames | null;
  /** Capacity of the KV cache in tokens. Null when the engine does not report it. */
  kvTokens: number | null;
  /** Whether the engine keeps the prefix caches of different salts apart. */
  salted: boolean;
  /** Whether counts come with every chunk. */
  runningUsage: boolean;
  /** Whether the engine reports cached tokens. If it does, a missing count means 0. */
  reportsCached: boolean;
  /** Where the reasoning of a thinking model appears. */
  reasoning: ReasoningSupport;
  /** Whether the answer to the trial began with text, and not with reasoning. */
  beganWithText: boolean;
  /** False when the trial has shown that the engine refuses requests with tools. */
  takesTools: boolean;
  /** Whether the engine reports that it takes no images. */
  refusesImages: boolean;
  /** Notes for the operator, besides those that follow from the other fields. */
  notes: readonly string[];
}>;

/** The abilities that an engine may show after its discovery. */
export type Learnt = Partial<
  Pick<EngineProfile, 'runningUsage' | 'reportsCached' | 'kvTokens' | 'reasoning'>
>;

export const UNKNOWN_PROFILE: EngineProfile = {
  dialect: openai,
  version: null,
  boot: '',
  metrics: null,
  kvTokens: null,
  salted: false,
  runningUsage: false,
  reportsCached: false,
  reasoning: 'unknown',
  beganWithText: false,
  takesTools: true,
  refusesImages: false,
  notes: [],
};

/** Whether a profile has these values already. */
export function knows(profile: EngineProfile, learnt: Learnt): boolean {
  const names = Object.keys(learnt) as (keyof Learnt)[];
  return names.every((name) => profile[name] === learnt[name]);
}

/** Returns kind and version as in the load report: `vllm 0.25.0`. */
export function titleOf({ dialect, version }: EngineProfile): string {
  return version ? `${dialect.name} ${version}` : dialect.name;
}
