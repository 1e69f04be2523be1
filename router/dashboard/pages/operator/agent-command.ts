/** What is pasted on a GPU host: its agent's configuration, and the command that starts it. */
import type { Router } from '../../../../shared/api/routers.ts';
import type { Region } from '../../../../shared/wire/messages.ts';

const LABEL_CHARS_MAX = 64;

type Joining = Readonly<{
  name: string;
  /** Where its engine is, as the host sees it. */
  engine: string;
  routers: readonly string[];
  token: string;
}>;

/** Strings stand as JSON has them, which is YAML as well. */
export function agentCommand({ name, engine, routers, token }: Joining): string {
  const label = name.slice(0, LABEL_CHARS_MAX).toWellFormed();
  return `umask 077
cat > agent.yaml <<'YAML'
name: ${JSON.stringify(label)}
data: ./penstock-agent
routers: [${routers.map((url) => JSON.stringify(url)).join(', ')}]
join: ${token}
engines:
  - { name: engine, url: ${JSON.stringify(engine)} }
YAML
penstock agent --config agent.yaml`;
}

/** Where an agent of this region dials: one address is enough, it is told of the others. */
export function addressFor(region: Region, routers: readonly Router[], origin: string): string {
  const told = routers.find(
    ({ beating, url, regions }) =>
      beating && url !== null && (regions.includes('global') || regions.includes(region)),
  );
  return told?.url ?? `${origin.replace(/^http/, 'ws')}/agent`;
}
