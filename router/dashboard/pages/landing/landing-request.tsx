import { useQuery } from '@tanstack/react-query';
import type { PublicModel } from '../../../../shared/api/public-figures.ts';
import { areModelsPublic, publicModelsQuery } from '../../api/public-figures.ts';
import { CodeTabs } from '../../parts/code/code-block.tsx';
import { Money } from '../../parts/shown.tsx';
import { visitorsBaseUrl } from '../../service.ts';
import { costOf } from '../catalog/cost.ts';
import { NO_MODEL, NO_URL, snippets } from '../keys/snippets.ts';

/** A request as a stranger would send it, with the base URL of the service, and its answer. */
export function LandingRequest() {
  const models = useQuery({ ...publicModelsQuery, enabled: areModelsPublic() });
  const baseUrl = visitorsBaseUrl() ?? NO_URL;
  const model = models.data?.data[0];
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <CodeTabs tabs={snippets({ baseUrl, model: model?.id ?? NO_MODEL, key: null })} />
      <Answer pricing={model?.pricing ?? null} />
    </div>
  );
}

/** What the request uses. */
const USED = { prompt: 14, cached: 0, completion: 8, requests: 1 } as const;

/** An example: each model words its own. The cost is that of its tokens, at the list price. */
function Answer({ pricing }: { pricing: PublicModel['pricing'] | null }) {
  return (
    <figure className="grid gap-1.5 rounded-lg border bg-panel px-4 py-3 text-sm shadow-panel">
      <figcaption className="text-xs font-medium text-muted">Example answer</figcaption>
      <p>Hello! Nice to meet you.</p>
      <p className="flex flex-wrap gap-x-3 text-xs text-muted tabular-nums">
        <span>{USED.prompt} prompt tokens</span>
        <span>{USED.completion} completion tokens</span>
        {pricing !== null && (
          <span className="font-medium text-ink">
            <Money amount={costOf(pricing, USED).one} exact /> charged
          </span>
        )}
      </p>
    </figure>
  );
}
