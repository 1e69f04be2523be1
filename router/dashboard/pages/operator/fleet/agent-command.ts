/**
 * The text to paste on a GPU host: the agent's configuration and the command that starts the agent.
 */
import type { Router } from '../../../../../shared/api/routers.ts';
import type { Region } from '../../../../../shared/region.ts';

const LABEL_CHARS_MAX = 64;

type Joining = Readonly<{
  name: string;
  /** The URL of the engine, as the host sees it. */
  engine: string;
  routers: readonly string[];
  token: string;
}>;

/** Returns shell commands. Strings are written as JSON, which is valid YAML. */
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

/**
 * Returns the address that an agent of this region dials. One address is enough, because the router
 * sends the others to the agent. When no live router of the region reports an address, returns the
 * one at `origin`.
 */
export function addressFor(region: Region, routers: readonly Router[], origin: string): string {
  const told = routers.find(
    ({ beating, url, regions }) =>
      beating && url !== null && (regions.includes('global') || regions.includes(region)),
  );
  return told?.url ?? `${origin.replace(/^http/, 'ws')}/agent`;
}
