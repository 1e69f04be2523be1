/** Which catalog models an engine serves, and under which names it knows them. */
import { z } from 'zod';
import type { WireModel } from '../../shared/wire/messages.ts';

/**
 * One entry of an engine's /v1/models. `root` is the checkpoint behind a name that the operator
 * chose. `max_model_len` is the context length with which the engine was started.
 */
export const ServedEntry = z.object({
  id: z.string(),
  root: z.string().nullish(),
  max_model_len: z.int().positive().nullish().catch(null),
});
export type ServedEntry = z.infer<typeof ServedEntry>;

export const ModelList = z.object({ data: z.array(ServedEntry).max(4_096) });

/** `contextLength`: the catalog's, or the engine's if that is shorter. */
export type ServedModel = Readonly<{ model: WireModel; served: string; contextLength: number }>;

/** A model as a catalog names it. */
type NamedModel = Pick<WireModel, 'id' | 'hubModelId'>;

/** The tag that Ollama adds to a name without one. */
const LATEST = ':latest';

/**
 * Returns the catalog models that the engine serves, by catalog id. A model with a configured name
 * is matched by that name only. Otherwise the engine's name for it is the first of these that the
 * engine lists: the model's `hubModelId`, its catalog id, or an entry whose `root` is the
 * `hubModelId`. A listed name that ends in `:latest` also matches without that tag.
 */
export function resolveModels(
  catalog: readonly WireModel[],
  configured: Readonly<Record<string, string>>,
  listed: readonly ServedEntry[],
): ReadonlyMap<string, ServedModel> {
  const found = new Map<string, ServedModel>();
  for (const { model, entry } of matchModels(catalog, configured, listed)) {
    const contextLength = Math.min(model.contextLength, entry.max_model_len ?? Infinity);
    found.set(model.id, { model, served: entry.id, contextLength });
  }
  return found;
}

/** Returns the catalog models that the engine lists, each with its entry. */
export function matchModels<Model extends NamedModel>(
  catalog: readonly Model[],
  configured: Readonly<Record<string, string>>,
  listed: readonly ServedEntry[],
): Readonly<{ model: Model; entry: ServedEntry }>[] {
  const byName = new Map<string, ServedEntry>();
  for (const entry of listed) {
    if (entry.id.endsWith(LATEST)) byName.set(entry.id.slice(0, -LATEST.length), entry);
  }
  for (const entry of listed) byName.set(entry.id, entry);
  return catalog.flatMap((model) => {
    const wanted = Object.hasOwn(configured, model.id) ? configured[model.id] : undefined;
    const entry =
      wanted === undefined
        ? (byName.get(model.hubModelId) ??
          byName.get(model.id) ??
          listed.find(({ root }) => root === model.hubModelId))
        : byName.get(wanted);
    return entry ? [{ model, entry }] : [];
  });
}

/** The most characters of a name that `noMatch` shows. */
const NAME_CHARS_MAX = 80;

/**
 * Explains that an engine serves no model of a catalog: what it lists and what the catalog has, at
 * most `namesMax` names each.
 */
export function noMatch(
  catalog: readonly NamedModel[],
  listed: readonly ServedEntry[],
  namesMax: number,
): string {
  const lists = shown(listed, namesMax, ({ id }) => id);
  const wants = shown(catalog, namesMax, ({ hubModelId, id }) => `${hubModelId} (${id})`);
  return `no model of the catalog is served: the engine lists ${lists}, and the catalog has ${wants}`;
}

function shown<Entry>(
  entries: readonly Entry[],
  namesMax: number,
  nameOf: (entry: Entry) => string,
): string {
  if (entries.length === 0) return 'nothing';
  const names = entries.slice(0, namesMax).map((entry) =>
    nameOf(entry)
      .replaceAll(/[^ -~]/g, '?')
      .slice(0, NAME_CHARS_MAX),
  );
  const more = entries.length - names.length;
  return more > 0 ? `${names.join(', ')} and ${more} more` : names.join(', ');
}
