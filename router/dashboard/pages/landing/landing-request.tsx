import { useQuery } from '@tanstack/react-query';
import { areModelsPublic, publicModelsQuery } from '../../api/public-figures.ts';
import { CodeBlock } from '../../parts/copy.tsx';
import { visitorsBaseUrl } from '../../service.ts';

/** A request as a stranger would send it, with the base URL of the service. */
export function LandingRequest() {
  const models = useQuery({ ...publicModelsQuery, enabled: areModelsPublic() });
  const baseUrl = visitorsBaseUrl() ?? '<base URL>';
  const model = models.data?.data[0]?.id ?? '<model>';
  const code = `curl ${baseUrl}/chat/completions \\
  -H "Authorization: Bearer $PENSTOCK_API_KEY" \\
  -H "Content-Type: application/json" \\
  -d '{
    "model": "${model}",
    "messages": [{"role": "user", "content": "Say hello."}]
  }'`;
  return <CodeBlock code={code} what="the request" />;
}
