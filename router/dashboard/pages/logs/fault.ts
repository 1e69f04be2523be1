import { shownMessage } from '../../format/message.ts';
import type { Zone } from '../../format/time.ts';
import { causeOf } from '../usage/outcome.ts';
import { endedAs } from './failure-groups.ts';
import type { LogRow } from './merge.ts';

/**
 * Why the request was refused or failed. Null for one that was answered. The cause of the code
 * stands for a refusal without a message.
 */
export function faultOf(row: LogRow, zone: Zone): string | null {
  if (row.kind === 'refused' && row.entry.message !== '') {
    return shownMessage(row.entry.message, zone);
  }
  return causeOf(endedAs(row));
}
