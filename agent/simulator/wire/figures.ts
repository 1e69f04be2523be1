/** The figures that an engine reports for an answer: the right ones, or those of a fault. */
import type { Counts } from '../answer/completion.ts';
import type { FaultConfig, WrongFigure } from '../faults/schema.ts';

/** Null: not reported. NaN is serialized as such, though JSON does not allow it. */
export interface Figures {
  readonly prompt: number | null;
  readonly cached: number | null;
  readonly completion: number | null;
  readonly reasoning: number | null;
  readonly total: number | null;
}

export function figuresOf(counts: Counts, wrong: FaultConfig['wrong_usage']): Figures {
  const prompt = figure(counts.prompt, wrong?.prompt_tokens);
  const completion = figure(counts.completion, wrong?.completion_tokens);
  return {
    prompt,
    completion,
    total: prompt === null || completion === null ? null : prompt + completion,
    cached: figure(counts.cached, wrong?.cached_tokens),
    reasoning: figure(counts.reasoning, wrong?.reasoning_tokens),
  };
}

function figure(right: number, wrong: WrongFigure | undefined): number | null {
  if (wrong === undefined) return right;
  if (wrong === 'missing') return null;
  if (wrong === 'nan') return Number.NaN;
  return typeof wrong === 'number' ? wrong : Math.round(right * wrong.factor);
}

/** Returns the JSON text of an object, without its members that are null. */
export function objectOf(
  entries: readonly (readonly [name: string, json: number | string | null])[],
): string {
  const given = entries.filter(([, value]) => value !== null);
  return `{${given.map(([name, value]) => `"${name}":${value}`).join(',')}}`;
}
