/** The task that deletes chats whose owner was removed by a router of an earlier version. */
import type { ScheduledTask } from '../../jobs/scheduler.ts';
import type { ControlParts } from '../parts.ts';
import { deleteChatsOfFormerMembers } from './forget.ts';

const EVERY_MS = 60 * 60_000;
/** Slices per run. The rest waits for the next run. */
const SLICES_MAX = 100;

export function formerMembersChatsTask({ store }: Pick<ControlParts, 'store'>): ScheduledTask {
  return {
    name: 'chats of former members',
    everyMs: EVERY_MS,
    async run() {
      for (let slices = 0; slices < SLICES_MAX; slices++) {
        if (!(await store.call(deleteChatsOfFormerMembers, null)).more) return;
      }
    },
  };
}
