/** GET /v1/models. */
import { unixSeconds } from '../../../shared/clock.ts';
import type { Route } from '../dialect.ts';
import type { ServedModel } from '../models.ts';

/** Returns the route. `more` returns the fields that only this engine has. */
export function modelList(ownedBy: string, more: (model: ServedModel) => object): Route {
  return ({ models, clock }) => {
    const head = { object: 'model', created: unixSeconds(clock), owned_by: ownedBy };
    const data = [...models.values()].map((model) => ({ id: model.id, ...head, ...more(model) }));
    return { object: 'list', data };
  };
}
