/** Usage figures as vLLM writes them, or as a fault wants them. */
import type { Counts } from '../answer/completion.ts';
import type { FaultConfig, WrongFigure } from '../faults/schema.ts';

export interface UsageDetails {
  /** Only the last usage of an answer has them, and only with the engine's flag. */
  readonly cached: boolean;
  /** Only models with a reasoning parser. */
  readonly reasoning: boolean;
}

/** JSON text, for it may have to hold what no JSON can: NaN. */
export function usageJson(
  counts: Counts,
  details: UsageDetails,
  wrong: FaultConfig['wrong_usage'],
): string {
  const prompt = figure(counts.prompt, wrong?.prompt_tokens);
  const completion = figure(counts.completion, wrong?.completion_tokens);
  const total = prompt === null || completion === null ? null : prompt + completion;
  const cached = details.cached ? figure(counts.cached, wrong?.cached_tokens) : null;
  const reasoning = details.reasoning ? figure(counts.reasoning, wrong?.reasoning_tokens) : null;
  return members([
    ['prompt_tokens', prompt],
    ['total_tokens', total],
    ['completion_tokens', completion],
    ['prompt_tokens_details', cached === null ? null : members([['cached_tokens', cached]])],
    [
      'completion_tokens_details',
      reasoning === null ? null : members([['reasoning_tokens', reasoning]]),
    ],
  ]);
}

/** Null: the figure is not reported. */
function figure(right: number, wrong: WrongFigure | undefined): number | null {
  if (wrong === undefined) return right;
  if (wrong === 'missing') return null;
  if (wrong === 'nan') return Number.NaN;
  return typeof wrong === 'number' ? wrong : Math.round(right * wrong.factor);
}

function members(entries: readonly (readonly [string, number | string | null])[]): string {
  const given = entries.filter(([, value]) => value !== null);
  return `{${given.map(([name, value]) => `"${name}":${value}`).join(',')}}`;
}
