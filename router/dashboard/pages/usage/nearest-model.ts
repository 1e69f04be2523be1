/** Finds the model that a wrong name may have meant. */

/** Names of models are shorter; a longer one is not compared. */
const CHARS_MAX = 256;

/**
 * Returns the id that has the fewest edits from `name`, ignoring case, and for a name without a
 * namespace also ignoring that of the id. Null when more than a quarter of the characters differ. In
 * short names two may differ, but not more than a third.
 */
export function nearestModel(name: string, ids: readonly string[]): string | null {
  const wanted = name.trim().toLowerCase();
  if (wanted === '' || wanted.length > CHARS_MAX) return null;
  let most = Math.max(Math.min(2, Math.floor(wanted.length / 3)), Math.floor(wanted.length / 4));
  let nearest: string | null = null;
  for (const id of ids) {
    const whole = id.toLowerCase();
    const compared = wanted.includes('/') ? whole : whole.slice(whole.lastIndexOf('/') + 1);
    const edits = editsBetween(wanted, compared, most);
    if (edits === null || (edits === most && nearest !== null)) continue;
    [most, nearest] = [edits, id];
  }
  return nearest;
}

/**
 * Returns how many characters have to be inserted, removed or replaced to make one text of the
 * other. Null when it is more than `most`. Only cells that may be within `most` are computed.
 */
function editsBetween(one: string, other: string, most: number): number | null {
  if (Math.abs(one.length - other.length) > most) return null;
  let before = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (let row = 1; row <= one.length; row++) {
    const now = Array.from({ length: other.length + 1 }, () => most + 1);
    if (row <= most) now[0] = row;
    const last = Math.min(other.length, row + most);
    for (let at = Math.max(1, row - most); at <= last; at++) {
      const replaced = (before[at - 1] ?? 0) + (one[row - 1] === other[at - 1] ? 0 : 1);
      const removed = (before[at] ?? 0) + 1;
      const inserted = (now[at - 1] ?? 0) + 1;
      now[at] = Math.min(replaced, removed, inserted);
    }
    before = now;
  }
  const edits = before[other.length] ?? 0;
  return edits <= most ? edits : null;
}
