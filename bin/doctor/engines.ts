/** The engines of an agent: whether they answer and generate, their flags, and their models. */
import type { AgentConfig, EngineConfig } from '../../agent/config.ts';
import { Engine } from '../../agent/engine/engine.ts';
import { findEngine, type Found } from '../../agent/engine/find.ts';
import { PROBE_MS_MAX } from '../../agent/engine/hang-detector.ts';
import { matchModels, noMatch } from '../../agent/engine/models.ts';
import { notesOf } from '../../agent/engine/notes.ts';
import { titleOf } from '../../agent/engine/profile.ts';
import type { Catalog } from '../../shared/catalog.ts';
import type { Clock } from '../../shared/clock.ts';
import type { Random } from '../../shared/random.ts';
import { type Finding, fault, ok, warning } from './finding.ts';

/** The most names of a list that are shown. */
const NAMES_MAX = 8;
const QUERY_MS_MAX = 3_000;

export type EngineParts = Readonly<{ clock: Clock; random: Random; catalog: Catalog | null }>;

/** Finds each engine as the agent does, which includes a few requests of some tokens. */
export async function engineFindings(
  { engines }: AgentConfig,
  parts: EngineParts,
): Promise<Finding[]> {
  return (await Promise.all(engines.map((settings) => findingsOf(settings, parts)))).flat();
}

async function findingsOf(settings: EngineConfig, parts: EngineParts): Promise<Finding[]> {
  const check = `engine: ${settings.name}`;
  await using engine = new Engine(settings, parts.clock);
  const { signal } = new AbortController();
  const { clock, random } = parts;
  const asked = { engine, clock, random, signal, timeoutMs: PROBE_MS_MAX, isSame: () => false };
  const found = await findEngine(asked);
  if (typeof found === 'string') return [notServing(check, settings, found)];
  const { profile, listed } = found;
  const names = listed.slice(0, NAMES_MAX).map(({ id }) => id);
  const advice = 'docs/engines.md describes the flags of each engine.';
  return [
    ok(check, `${titleOf(profile)} at ${settings.url} generates, and lists ${names.join(', ')}`),
    ...notesOf(profile).map((note) => warning(check, note, advice)),
    ...(await prefixCaching(check, engine)),
    ...namesNotListed(check, settings, found),
    ...catalogFindings(check, settings, found, parts.catalog),
  ];
}

function notServing(check: string, { url, command }: EngineConfig, why: string): Finding {
  const found = `the engine at ${url} is not serving: ${why}`;
  if (command) return warning(check, found, 'The agent starts it; look again when the agent runs.');
  return fault(check, found, 'Start the engine, or correct its url or apiKey.');
}

/** vLLM shows its configuration as labels of a metric. */
async function prefixCaching(check: string, { client }: Engine): Promise<Finding[]> {
  const page = await client.query({ path: '/metrics', timeoutMs: QUERY_MS_MAX });
  if (typeof page === 'string' || !/enable_prefix_caching="False"/i.test(page.text)) return [];
  const found = 'prefix caching is off: each request computes its whole prompt';
  return [warning(check, found, 'Start vLLM with --enable-prefix-caching.')];
}

function namesNotListed(check: string, { models }: EngineConfig, { listed }: Found): Finding[] {
  return Object.entries(models)
    .filter(([, name]) => !listed.some(({ id }) => id === name || id === `${name}:latest`))
    .map(([id, name]) => {
      const found = `models maps ${id} to ${name}, which the engine does not list`;
      return fault(check, found, 'Correct the name under models, or remove it.');
    });
}

function catalogFindings(
  check: string,
  { models }: EngineConfig,
  { listed }: Found,
  catalog: Catalog | null,
): Finding[] {
  if (catalog === null) return [];
  const named = [...catalog.values()].map(({ id, hub_model_id: hubModelId }) => ({
    id,
    hubModelId,
  }));
  const served = matchModels(named, models, listed);
  if (served.length > 0) {
    const pairs = served.map(({ model, entry }) => `${model.id} as ${entry.id}`);
    return [ok(check, `it serves ${pairs.slice(0, NAMES_MAX).join(', ')}`)];
  }
  const advice = 'Map a catalog id to a name of the engine under models, or add it to the catalog.';
  return [fault(check, noMatch(named, listed, NAMES_MAX), advice)];
}
