/** What operations are called: the names of functions in clients that are generated from the document. */
import type { DescribedRoute } from './operation.ts';

/** From the action, or else from method and path: stable while a route stays where it is. */
export function operationIds(routes: readonly DescribedRoute[]): (route: DescribedRoute) => string {
  const actions = Map.groupBy(routes, ({ action }) => action);
  return (route) => {
    const { method, path, action } = route;
    const isAlone = actions.get(action)?.length === 1;
    return action !== null && isAlone ? nameOfAction(action) : nameOfPath(method, path);
  };
}

/** `key.create`: `createKey`; `member.change-role`: `changeMemberRole`. */
function nameOfAction(action: string): string {
  const [noun = '', does = ''] = action.split('.');
  const [verb = '', ...rest] = does.split('-');
  return camel([verb, noun, ...rest]);
}

/** `GET /api/v1/organizations/{organization}/keys`: `getOrganizationKeys`. */
function nameOfPath(method: string, path: string): string {
  const segments = path.split('/').slice(3);
  const words = segments.flatMap((segment, at) => {
    const parameter = /^\{(\w+)\}$/.exec(segments[at + 1] ?? '')?.[1];
    if (segment.startsWith('{')) return [];
    if (parameter === undefined) return [segment];
    const one = singular(segment);
    // A noun that has no plural: one of it is called as its id is.
    return one === segment ? [segment, parameter] : [one];
  });
  return camel([method.toLowerCase(), ...words]);
}

function singular(noun: string): string {
  return noun.replace(/ies$/, 'y').replace(/s$/, '');
}

function camel(words: readonly string[]): string {
  const [first = '', ...rest] = words.flatMap((word) => word.split(/[^0-9A-Za-z]+/));
  return first + rest.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
}
