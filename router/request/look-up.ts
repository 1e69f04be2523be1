/** Answers requests of a key that neither have a body nor infer: what models there are, and its own limits. */
import type { Refusal } from '../../shared/refusals.ts';
import type { LiveCatalog } from '../catalog/live.ts';
import { unknownModel } from '../catalog/rules.ts';
import type { Caller } from './authenticate.ts';
import type { KeyStatus } from './key-status.ts';
import { refuseModel } from './model-access.ts';
import type { Route } from './routes.ts';

export type LookUpParts = Readonly<{ catalog: LiveCatalog; keyStatus: KeyStatus }>;

type LookUp = Extract<Route, { kind: 'models' | 'model' | 'key' }>;

/** Returns the JSON text of the answer. */
export async function lookUp(
  { catalog, keyStatus }: LookUpParts,
  route: LookUp,
  caller: Caller,
): Promise<string | Refusal> {
  switch (route.kind) {
    case 'models':
      return caller.models === null ? catalog.listing : catalog.listingOf(caller.models);
    case 'model': {
      const listed = catalog.listed(route.id);
      if (listed === undefined) return unknownModel(route.id);
      return refuseModel(caller.models, route.id) ?? listed;
    }
    case 'key':
      return await keyStatus.read(caller);
  }
}
