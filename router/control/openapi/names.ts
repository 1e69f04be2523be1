/** Operation ids, which become the function names in generated clients. */
import type { ListedRoute } from '../access/gate.ts';

/**
 * Derives an operation's id from its action, or else from its method and path. The id is stable as
 * long as the route stays where it is.
 */
export function operationId(route: ListedRoute, routes: readonly ListedRoute[]): string {
  const { method, url, action, isAlternative } = route;
  const isNamedSo = (one: ListedRoute) => one.action === action && !one.isAlternative;
  const isAlone = !isAlternative && routes.filter(isNamedSo).length === 1;
  return action !== null && isAlone ? nameOfAction(action) : nameOfPath(method, url);
}

/**
 * For example `key.create` gives `createKey`, and `member.change-role` gives `changeMemberRole`.
 */
function nameOfAction(action: string): string {
  const [noun = '', does = ''] = action.split('.');
  const [verb = '', ...rest] = does.split('-');
  return camel([verb, noun, ...rest]);
}

/** For example `GET /api/v1/organizations/:organization/keys` gives `getOrganizationKeys`. */
function nameOfPath(method: string, url: string): string {
  const segments = url.split('/').slice(3);
  const words = segments.flatMap((segment, at) => {
    const parameter = /^:(\w+)$/.exec(segments[at + 1] ?? '')?.[1];
    if (segment.startsWith(':')) return [];
    if (parameter === undefined) return [segment];
    const one = singular(segment);
    // The noun has no distinct plural, so the parameter's name is added.
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
