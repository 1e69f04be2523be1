/** What happens when an operator drains workers or hosts, ends a drain, or revokes a host, in words. */
import { shownCount } from '../../../format/count.ts';

const SUBJECTS = {
  worker: ['The worker gets', 'it', 'its agent is'],
  host: ['The host gets', 'it', 'its agent is'],
  hosts: ['The hosts get', 'them', 'their agents are'],
} as const;

/** `left`: the requests that run or wait there now. Null: not known. */
export function drainMeans(what: keyof typeof SUBJECTS, left: number | null): string {
  const [gets, there, agentIs] = SUBJECTS[what];
  return `${gets} no new requests. ${runningInWords(there, left)} The drain lasts until you end it, or until ${agentIs} started again.`;
}

function runningInWords(there: string, left: number | null): string {
  if (left === 0) return `No request runs on ${there} now.`;
  if (left === 1) return `The request that runs on ${there} is answered to its end.`;
  const which = left === null ? 'Requests that run' : `The ${shownCount(left)} requests that run`;
  return `${which} on ${there} are answered to their ends.`;
}

export function undrainMeans(what: keyof typeof SUBJECTS): string {
  const [gets] = SUBJECTS[what];
  return `${gets} new requests again as soon as ${what === 'worker' ? 'its engine is' : 'the engines are'} ready.`;
}

export const REVOKE_MEANS = [
  'The host is disconnected at once, and can never connect again. Requests whose answers have not begun are tried on other hosts. Answers that have begun are cut off: to let them end, drain the host first.',
  'You cannot undo this. To use the machine again, enrol it as a new host.',
] as const;
