import { useQuery } from '@tanstack/react-query';
import { areModelsPublic, publicModelsQuery } from '../../api/public-figures.ts';
import { CodeTabs } from '../../parts/code/code-block.tsx';
import { visitorsBaseUrl } from '../../service.ts';
import { NO_MODEL, NO_URL, snippets } from '../keys/snippets.ts';

/** A request as a stranger would send it, with the base URL of the service. */
export function LandingRequest() {
  const models = useQuery({ ...publicModelsQuery, enabled: areModelsPublic() });
  const baseUrl = visitorsBaseUrl() ?? NO_URL;
  const model = models.data?.data[0]?.id ?? NO_MODEL;
  return <CodeTabs tabs={snippets({ baseUrl, model, key: null })} />;
}
