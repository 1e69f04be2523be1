import { useQuery } from '@tanstack/react-query';
import type { Model } from '../../../../shared/api/models.ts';
import type { CreatedKey } from '../../api/keys.ts';
import { modelsQuery, organizationQuery } from '../../api/organization.ts';
import { useAwaitedWelcome } from '../../awaited-welcome.ts';
import { CodeTabs } from '../../parts/code/code-block.tsx';
import { Code } from '../../parts/shown.tsx';
import { Loaded } from '../../parts/states.tsx';
import { useOrganization } from '../../session.tsx';
import { RefusedUntilConfirmed } from '../people/refused-until-confirmed.tsx';
import { AgentTabs } from './agent-tabs.tsx';
import { callableBy } from './callable-models.ts';
import { agentModel } from './coding-agents.ts';
import { exampleModel, KEY_VARIABLE, NO_MODEL, NO_URL, snippets } from './snippets.ts';

type SnippetTabsProps = Readonly<{ made: CreatedKey | null; primary?: boolean }>;

/**
 * Examples of a first request with the organization's base URL, and settings of coding agents.
 * `made` is the key with its secret, which is known only while it was just made. With `primary`,
 * copying an example is the page's main action.
 */
export function SnippetTabs({ made, primary = false }: SnippetTabsProps) {
  const id = useOrganization();
  const organization = useQuery(organizationQuery(id));
  const models = useQuery(modelsQuery(id));
  const awaitsCredit = useAwaitedWelcome() !== null;
  return (
    <Loaded query={organization}>
      {({ base_url, region }) => (
        <Loaded query={models}>
          {({ data }) => {
            const callable = callableBy(made, data);
            return (
              <div className="grid min-w-0 gap-2">
                {awaitsCredit && (
                  <p className="text-sm text-warn">
                    <RefusedUntilConfirmed />
                  </p>
                )}
                <CodeTabs
                  primary={primary}
                  tabs={snippets({
                    baseUrl: base_url ?? NO_URL,
                    model: exampleModel(callable) ?? NO_MODEL,
                    key: made?.key ?? null,
                  })}
                />
                <AgentSettingsOf baseUrl={base_url ?? NO_URL} models={callable} made={made} />
                {made === null && (
                  <p className="text-xs text-muted">
                    The key is read from the environment variable <Code>{KEY_VARIABLE}</Code>.
                  </p>
                )}
                {base_url === null && (
                  <p className="text-xs text-warn">
                    This router does not know the base URL of the region {region}. Ask support for
                    it, and replace {NO_URL}.
                  </p>
                )}
              </div>
            );
          }}
        </Loaded>
      )}
    </Loaded>
  );
}

type AgentSettingsProps = Readonly<{
  baseUrl: string;
  models: readonly Model[];
  made: CreatedKey | null;
}>;

function AgentSettingsOf({ baseUrl, models, made }: AgentSettingsProps) {
  const model = agentModel(models);
  if (model === null) return null;
  return (
    <AgentTabs parts={{ baseUrl, model, key: made?.key ?? null }} keyName={made?.name ?? null} />
  );
}
