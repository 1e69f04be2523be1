/** Which catalog models an engine serves, and under which names it knows them. */
import { z } from 'zod';
import type { WireModel } from '../../shared/wire/messages.ts';

/**
 * One entry of an engine's /v1/models. `root` is the checkpoint behind a name that the operator
 * chose.
 */
export const ServedEntry = z.object({ id: z.string(), root: z.string().nullish() });
export type ServedEntry = z.infer<typeof ServedEntry>;

export const ModelList = z.object({ data: z.array(ServedEntry).max(4_096) });

export type ServedModel = Readonly<{ model: WireModel; served: string }>;

/**
 * Returns the catalog models that the engine serves, by catalog id. A model with a configured name
 * is matched by that name only. Otherwise the engine's name for it is the first of these that the
 * engine lists: the model's `hubModelId`, its catalog id, or an entry whose `root` is the
 * `hubModelId`.
 */
export function resolveModels(
  catalog: readonly WireModel[],
  configured: Readonly<Record<string, string>>,
  listed: readonly ServedEntry[],
): ReadonlyMap<string, ServedModel> {
  const ids = new Set(listed.map((entry) => entry.id));
  const found = new Map<string, ServedModel>();
  for (const model of catalog) {
    const wanted = Object.hasOwn(configured, model.id) ? configured[model.id] : undefined;
    const names = wanted === undefined ? [model.hubModelId, model.id] : [wanted];
    const served =
      names.find((name) => ids.has(name)) ??
      (wanted === undefined
        ? listed.find((entry) => entry.root === model.hubModelId)?.id
        : undefined);
    if (served !== undefined) found.set(model.id, { model, served });
  }
  return found;
}
