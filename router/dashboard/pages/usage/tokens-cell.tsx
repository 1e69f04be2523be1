import type { UsageEntry } from '../../../../shared/api/usage.ts';
import { shownCount } from '../../format/count.ts';
import { type Column, numeric, Td } from '../../parts/list/table.tsx';
import { isUncounted, NOT_REPORTED } from './outcome.ts';

/** The column of the tokens of requests. */
export const TOKENS: Column = { ...numeric('Tokens'), card: 'plain' };

type Counted = Pick<
  UsageEntry,
  'prompt_tokens' | 'cached_tokens' | 'completion_tokens' | 'reasoning_tokens' | 'ttft_ms'
>;

/** The tokens of a request, such as `22 → 40`. Null: it was refused. */
export function TokensCell({ of }: Readonly<{ of: Counted | null }>) {
  if (of === null) return <Td right>–</Td>;
  if (isUncounted(of)) {
    return (
      <Td right title={NOT_REPORTED}>
        –
      </Td>
    );
  }
  const [prompt, completion] = [of.prompt_tokens, of.completion_tokens].map(shownCount);
  const words = `${prompt} prompt, ${completion} completion`;
  const cached = `${shownCount(of.cached_tokens)} cached`;
  const reasoning = `${shownCount(of.reasoning_tokens)} reasoning`;
  return (
    <Td right className="whitespace-nowrap">
      <span aria-hidden title={`${words} (${cached}, ${reasoning})`}>
        {prompt} → {completion}
      </span>
      <span className="sr-only">{words}</span>
    </Td>
  );
}
