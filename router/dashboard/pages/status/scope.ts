/** Which models or regions an incident affects, while an operator chooses them. */

/** An empty list: nothing is chosen yet. */
export type Scope<Choice extends string> = 'all' | readonly Choice[];

/** The API has an empty list for all. */
export function scopeOf<Choice extends string>(affected: readonly Choice[]): Scope<Choice> {
  return affected.length === 0 ? 'all' : affected;
}

/** As the API takes it. Only for a scope that is chosen. */
export function affectedIn<Choice extends string>(scope: Scope<Choice>): Choice[] {
  return scope === 'all' ? [] : [...scope];
}

export function isChosen(scope: Scope<string>): boolean {
  return scope.length > 0;
}

/** The scope after one of the toggles was pressed: all, and one of them, exclude each other. */
export function toggledScope<Choice extends string>(
  before: Scope<Choice>,
  pressed: readonly ('all' | Choice)[],
): Scope<Choice> {
  if (before !== 'all' && pressed.includes('all')) return 'all';
  return pressed.filter((each): each is Choice => each !== 'all');
}
