/**
 * Hot path. How many times something was read from any link. Records that are handled at the same count
 * came in one read, which is about a turn of the event loop.
 */
export let linkReads = 0;

/** A listener of a link's connection. It has to be the first. */
export function countLinkRead(): void {
  linkReads += 1;
}
