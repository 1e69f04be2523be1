import { useQuery } from '@tanstack/react-query';
import { Link, useCanGoBack, useParams, useRouter } from '@tanstack/react-router';
import { SearchX } from 'lucide-react';
import type { UsageDetail } from '../../../../shared/api/usage.ts';
import { ApiError } from '../../api/client.ts';
import { requestQuery } from '../../api/refusals.ts';
import { shownCount, shownMs, shownSpeed } from '../../format/count.ts';
import { BackButton, BackLink } from '../../parts/back-link.tsx';
import { Button } from '../../parts/form/button.tsx';
import { Page, Panel, Stat } from '../../parts/page.tsx';
import { Money } from '../../parts/shown.tsx';
import { Empty, Loaded } from '../../parts/states.tsx';
import { useOrganization } from '../../session.tsx';
import { CausePanel, CutPanel } from './cause-panel.tsx';
import { CostLines } from './cost-lines.tsx';
import { isUncounted, NOT_REPORTED, tokensPerSecond } from './outcome.ts';
import { RefusedRequest } from './refused-request.tsx';
import { RequestFacts } from './request-facts.tsx';
import { RequestHeading } from './request-heading.tsx';
import { tokensOf } from './measures.ts';
import { isCutOff } from './stages.ts';
import { AdmittedTimeline } from './timeline.tsx';

export default function RequestPage() {
  const organization = useOrganization();
  const { request } = useParams({ from: '/signed-in/organization/$organization/logs/$request' });
  const query = useQuery(requestQuery(organization, request));
  const isUnknown = query.error instanceof ApiError && [400, 404].includes(query.error.status);
  return (
    <Page
      title="Request"
      description={query.data && <RequestHeading {...query.data} />}
      back={<Back />}
    >
      {isUnknown ? (
        <Panel>
          <UnknownRequest />
        </Panel>
      ) : (
        <Loaded query={query}>
          {({ usage, refusal }) => (
            <>
              {usage && <Detail detail={usage} />}
              {refusal && <RefusedRequest refusal={refusal} />}
            </>
          )}
        </Loaded>
      )}
    </Page>
  );
}

function UnknownRequest() {
  const organization = useOrganization();
  return (
    <Empty
      icon={<SearchX />}
      title="Request not found"
      action={
        <Button asChild look="primary">
          <Link to="/$organization/logs" params={{ organization }}>
            Go to Logs
          </Link>
        </Button>
      }
    >
      <p>
        Check that the ID is complete. The request may still be running, or may belong to another
        organization. When many requests are refused, a sample of them is kept.
      </p>
      <p className="mt-2">
        If the response was 401 because the API key is unknown, the request is not kept: without a
        known key, it belongs to no organization. Check that your program sends the whole key as
        &ldquo;Authorization: Bearer sk-…&rdquo;, and that the key is listed under{' '}
        <Link to="/$organization/keys" params={{ organization }} className="underline">
          API keys
        </Link>
        .
      </p>
    </Empty>
  );
}

/**
 * Goes back to the page that the reader came from, with its filters. After the address was opened
 * directly, links to the logs instead.
 */
function Back() {
  const organization = useOrganization();
  const canGoBack = useCanGoBack();
  const { history } = useRouter();
  if (canGoBack) {
    return <BackButton onBack={() => history.back()}>Back</BackButton>;
  }
  return (
    <BackLink to="/$organization/logs" params={{ organization }}>
      Logs
    </BackLink>
  );
}

function Detail({ detail }: { detail: UsageDetail }) {
  const ttft = detail.ttft_ms;
  const speed = tokensPerSecond(detail);
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
      <section aria-label="Figures" className="grid grid-cols-2 gap-3 sm:gap-4 lg:grid-cols-4">
        <Stat
          label="Cost"
          note={
            detail.cached_tokens === 0 ? (
              'No cached tokens'
            ) : (
              <>
                <Money amount={detail.cached_savings} exact /> saved by cached tokens
              </>
            )
          }
        >
          <Money amount={detail.cost} exact />
        </Stat>
        <Stat
          label="Tokens"
          note={
            isUncounted(detail)
              ? 'The stream failed before the engine counted them'
              : `${shownCount(detail.prompt_tokens)} prompt, ${shownCount(detail.completion_tokens)} completion`
          }
        >
          {isUncounted(detail) ? NOT_REPORTED : shownCount(tokensOf(detail))}
        </Stat>
        <Stat label="Time to first token" note={ttft === null ? 'No token received' : undefined}>
          {shownMs(ttft)}
        </Stat>
        <Stat
          label="Duration"
          note={
            speed === null
              ? undefined
              : `${shownSpeed(speed)} completion tokens/s after the first token`
          }
        >
          {shownMs(detail.duration_ms)}
        </Stat>
      </section>
      {detail.error !== null && (
        <CausePanel code={detail.error} model={detail.model} isCutOff={isCutOff(detail)} />
      )}
      <CutPanel of={detail} />
      <AdmittedTimeline detail={detail} />
      <CostLines detail={detail} />
      <RequestFacts detail={detail} />
    </div>
  );
}
