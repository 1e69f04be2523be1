import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Model } from '../../../../shared/api/models.ts';
import { settledQuery } from '../../api/playground.ts';
import { shownCount, shownMs, shownSpeed } from '../../format/count.ts';
import { Money } from '../../parts/shown.tsx';
import { useOrganization } from '../../session.tsx';
import type { Answer, Phase, Usage } from './answer.ts';
import { costOf, endingOf, firstTokenMs, tokensPerSecond } from './figures.ts';

type FactsProps = Readonly<{ answer: Answer; model: Model | undefined }>;

/** How an answer ended, its tokens, its times and its cost. */
export function AnswerFacts({ answer, model }: FactsProps) {
  const { usage, requestId, keyId, phase } = answer;
  const ttft = firstTokenMs(answer);
  const rate = tokensPerSecond(answer);
  return (
    <ul
      aria-label="Facts"
      className="flex flex-wrap gap-x-3 gap-y-0.5 text-xs text-muted tabular-nums"
    >
      <Fact>{endingOf(answer)}</Fact>
      {usage && <Tokens {...usage} />}
      {ttft !== null && (
        <Fact title={MEASURED_HERE}>
          First token {shownMs(ttft)}
          {rate !== null && `, ${shownSpeed(rate)} tokens/s`} in this browser
        </Fact>
      )}
      {usage && model && (
        <Fact>
          <Money amount={costOf(usage, model.billed)} />
        </Fact>
      )}
      {!usage && requestId !== null && keyId !== null && ENDED_EARLY.includes(phase) && (
        <Settled request={requestId} keyId={keyId} />
      )}
    </ul>
  );
}

const MEASURED_HERE =
  'Measured in this browser, with the network between. Logs have the times of the service.';

const ENDED_EARLY: readonly Phase[] = ['stopped', 'cut'];

/** The tokens and cost of an answer that ended before it reported its usage, from the ledger. */
function Settled({ request, keyId }: Readonly<{ request: string; keyId: string }>) {
  const { data, error } = useQuery(settledQuery(useOrganization(), request, keyId));
  if (error) return <Fact>Cost unknown. See Usage.</Fact>;
  if (!data) return <Fact>Cost…</Fact>;
  return (
    <>
      <Tokens
        prompt={data.prompt_tokens}
        cached={data.cached_tokens}
        completion={data.completion_tokens}
        reasoning={data.reasoning_tokens}
      />
      <Fact>
        <Money amount={data.cost} />
      </Fact>
    </>
  );
}

function Tokens({ prompt, cached, completion, reasoning }: Usage) {
  return (
    <>
      <Fact title="Prompt tokens">
        {shownCount(prompt)} prompt tokens
        {cached !== null && cached > 0 && ` (${shownCount(cached)} cached)`}
      </Fact>
      <Fact title="Completion tokens">
        {shownCount(completion)} completion tokens
        {reasoning !== null && reasoning > 0 && ` (${shownCount(reasoning)} reasoning)`}
      </Fact>
    </>
  );
}

function Fact({ title, children }: { title?: string; children: ReactNode }) {
  return <li title={title}>{children}</li>;
}
