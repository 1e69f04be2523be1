/** `matched_stop`: the stop string, or the id of the token that ends a turn. */
import { MARKER } from '../text/chat-template.ts';
import type { Ending } from '../wire/chunks.ts';

export function matchedStop({ reason, stop }: Ending, called: boolean): string | number | null {
  return reason === 'stop' && !called ? (stop ?? MARKER.end) : null;
}
