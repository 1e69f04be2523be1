import type { UsageDetail } from '../../../../shared/api/usage.ts';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { modelsQuery } from '../../api/organization.ts';
import { useAwaitedWelcome } from '../../awaited-welcome.ts';
import { PAGES } from '../../pages.ts';
import { Button } from '../../parts/form/button.tsx';
import { Id } from '../../parts/id.tsx';
import { Panel } from '../../parts/page.tsx';
import { useMay, useOrganization } from '../../session.tsx';
import { useHasPage } from '../keys/use-has-page.ts';
import { Explained } from './explained.tsx';
import { explanationOf } from './explanations.ts';
import { nearestModel } from './nearest-model.ts';
import { explanationOfCut } from './outcome.ts';

type CausePanelProps = Readonly<{
  code: string;
  /** What the client was told. Null when only the code is stored. */
  message?: string | null;
  /** The model that the request named. */
  model?: string | null;
  /** The key of the request. `name`: null when it is not known. */
  apiKey?: Readonly<{ id: string; name: string | null }> | null;
  /** Whether the response had begun, so that its client has a part of it. */
  isCutOff?: boolean;
}>;

/** The codes that the settings of the key can cause. */
const SETTINGS_OF_KEY: readonly string[] = [
  'model_not_allowed',
  'rate_limited',
  'key_limit_reached',
  'token_limit_exceeded',
];

/** Why a request was refused or failed, and what helps. Renders nothing for an unknown code. */
export function CausePanel({
  code,
  message = null,
  model = null,
  apiKey = null,
  isCutOff = false,
}: CausePanelProps) {
  const organization = useOrganization();
  const awaitsWelcome = useAwaitedWelcome() !== null;
  const explanation = explanationOf(code, {
    awaitsWelcome,
    message,
    keyName: apiKey?.name ?? null,
    hasLonger: useHasLonger(code === 'context_length_exceeded' ? model : null),
  });
  const limited = apiKey !== null && SETTINGS_OF_KEY.includes(code) ? apiKey : null;
  const hasPage = useHasPage(limited?.id ?? null);
  const mayEdit = useMay('keys');
  if (explanation === null && message === null) return null;
  return (
    <Panel title="What happened">
      <div className="grid grid-cols-[minmax(0,1fr)] gap-3 text-sm wrap-anywhere">
        {isCutOff && (
          <p>
            The response had begun and was cut off: your program got the status 200 and a part of
            the stream, without its end.
          </p>
        )}
        <Explained explanation={explanation} message={message} />
        {code === 'model_not_found' && model !== null && <NearestModel name={model} />}
        {explanation && (
          <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
            {explanation.page && (
              <Button asChild size="small">
                {explanation.page === 'keys' && limited !== null && hasPage ? (
                  <Link
                    to={PAGES.key.path}
                    params={{ organization, key: limited.id }}
                    search={(mayEdit ? { open: 'edit' } : {}) as never}
                  >
                    {mayEdit ? 'Edit' : 'Go to'} {limited.name ?? 'the API key'}
                  </Link>
                ) : (
                  <Link to={PAGES[explanation.page].path} params={{ organization }}>
                    Go to {PAGES[explanation.page].title}
                  </Link>
                )}
              </Button>
            )}
            <Link
              to="/docs/$page"
              params={{ page: 'errors' }}
              hash={code}
              className="text-accent underline-offset-2 hover:underline max-sm:py-2"
            >
              Read about {code}
            </Link>
          </div>
        )}
      </div>
    </Panel>
  );
}

/** Why a response without an error was cut. Renders nothing for one that is complete. */
export function CutPanel({ of }: { of: UsageDetail }) {
  const explanation = explanationOfCut(of);
  if (explanation === null) return null;
  return (
    <Panel title="What happened">
      <div className="grid gap-3 text-sm">
        <Explained explanation={explanation} />
      </div>
    </Panel>
  );
}

/** Whether another model has a longer context than `model`. False while that is not known. */
function useHasLonger(model: string | null): boolean {
  const { data } = useQuery({ ...modelsQuery(useOrganization()), enabled: model !== null });
  const context = data?.data.find(({ id }) => id === model)?.context_length ?? Infinity;
  return data?.data.some(({ context_length }) => context_length > context) ?? false;
}

/** The model whose ID the name may have meant. Renders nothing when none is near. */
function NearestModel({ name }: { name: string }) {
  const { data } = useQuery(modelsQuery(useOrganization()));
  const nearest =
    data &&
    nearestModel(
      name,
      data.data.map(({ id }) => id),
    );
  if (!nearest) return null;
  return (
    <p className="flex flex-wrap items-center gap-x-1.5">
      <span className="font-medium">Nearest model:</span> <Id id={nearest} what="the model ID" />
    </p>
  );
}
