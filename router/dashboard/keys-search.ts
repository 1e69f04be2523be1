/** What the address of the page of API keys may say. See search.ts for the rules of all addresses. */
import { SEARCH_CHARS_MAX } from '../../shared/bounds/search-chars.ts';
import { KEY_STATE_VALUES, type KeyState } from '../../shared/key-states.ts';
import { type Raw, filterOf, oneOf, text, valuesOf } from './search-values.ts';

const KEY_SORTS = ['created', 'name', 'last_used', 'spend'] as const;
export type KeySort = (typeof KEY_SORTS)[number];

/** `state`: the states of the keys, as `keyStatesOf` reads them. By default, the newest is the first. */
export type KeysSearch = Readonly<{
  state?: string | undefined;
  search?: string | undefined;
  sort?: KeySort | undefined;
  order?: 'asc' | 'desc' | undefined;
  /** Only former addresses have it. */
  revoked?: undefined;
}>;

export function keysSearch(raw: Raw): KeysSearch {
  // Former addresses say `revoked=shown` for keys of all states.
  const state = raw['revoked'] === 'shown' ? KEY_STATE_VALUES.join(',') : text(raw['state']);
  return {
    state: keyStatesFilter(keyStatesOf(state)),
    revoked: undefined,
    search: text(raw['search'])?.slice(0, SEARCH_CHARS_MAX),
    sort: oneOf(raw['sort'], KEY_SORTS),
    order: oneOf(raw['order'], ['asc', 'desc']),
  };
}

/** Without a filter, revoked keys are not listed. */
const KEY_STATES_DEFAULT: readonly KeyState[] = ['active', 'expired'];

/** The states that a filter of keys asks for, in their usual order. */
export function keyStatesOf(filter: string | undefined): readonly KeyState[] {
  const values = valuesOf(filter);
  const known = KEY_STATE_VALUES.filter((state) => values.includes(state));
  return known.length === 0 ? KEY_STATES_DEFAULT : known;
}

/** The filter of these states, which an address leaves out when it is the default. */
export function keyStatesFilter(states: readonly KeyState[]): string | undefined {
  const filter = filterOf(states);
  return filter === filterOf(KEY_STATES_DEFAULT) ? undefined : filter;
}
