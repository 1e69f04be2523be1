/** Joins class names, leaving out false, null, undefined and ''. */
export function cx(...names: readonly (string | false | null | undefined)[]): string {
  return names.filter(Boolean).join(' ');
}
