/** What happened to a host, in words. */
import type { AgentEvent } from '../../../../../shared/api/agents.ts';
import type { HostAction } from '../../../../../shared/host-events.ts';
import { lastedWords } from '../../../format/lasted.ts';

/** An end that a later version has recorded is shown by its name. */
export function linkEndInWords(reason: string): string {
  return Object.hasOwn(ENDS, reason) ? (ENDS[reason] ?? reason) : reason;
}

/** The actions of operators on a host, from the audit log. */
type Act =
  | 'agent.enrol'
  | 'agent.drain'
  | 'agent.undrain'
  | 'agent.revoke'
  | 'worker.drain'
  | 'worker.undrain';

/** Why a link has ended. The values are those of `LinkEnd` in router/fleet/session.ts. */
const ENDS: Readonly<Record<string, string>> = {
  closed: 'the agent or the network closed the connection',
  silent: 'the agent did not answer',
  protocol: 'the agent broke the protocol',
  replaced: 'the agent connected again',
  revoked: 'the host was revoked',
  stopping: 'the router stopped',
};

const WORDS: Readonly<Record<HostAction | Act, (event: AgentEvent) => string>> = {
  'agent.enrol': () => 'Enrolled the host',
  'agent.drain': ({ detail }) => `Drained the host${because(detail)}`,
  'agent.undrain': () => 'Ended the drain of the host',
  'agent.revoke': () => 'Revoked the host',
  'worker.drain': ({ detail }) => `Drained a worker${because(detail)}`,
  'worker.undrain': () => 'Ended the drain of a worker',
  'agent.joined': () => 'Connected to a router',
  'agent.left': ({ detail }) => `Disconnected from a router: ${linkEndInWords(detail ?? '')}`,
  'agent.lost': ({ detail }) => `Lost: no router is connected, and ${linkEndInWords(detail ?? '')}`,
  'agent.returned': ({ created, detail }) =>
    `Returned after ${timeAway(detail ?? created, created)}`,
  'agent.started': (event) => `Agent started: Penstock ${versionOf(event)}`,
  'agent.stopping': () => 'Agent is stopping: it gets no new requests',
  'worker.found': (event) => `Engine found: ${versionOf(event)}`,
  'worker.restarted': (event) => `Engine restarted: ${versionOf(event)}`,
  'worker.breaker-opened': () => 'Breaker opened: the worker kept failing',
  'worker.breaker-closed': () => 'Breaker closed: the worker has all of its slots again',
  'agent.note': ({ detail }) => `Note: ${detail}`,
};

/** The note on a drain, after what was done. */
export function because(reason: string | null): string {
  return reason === null ? '' : `: ${reason}`;
}

/** `lost`, `returned`: ISO 8601. */
export function timeAway(lost: string, returned: string): string {
  return lastedWords(Date.parse(returned) - Date.parse(lost));
}

/** An action that a later version has recorded is shown by its name. */
export function eventInWords(event: AgentEvent): string {
  const { action } = event;
  return Object.hasOwn(WORDS, action) ? WORDS[action as HostAction | Act](event) : action;
}

function versionOf({ detail, before }: AgentEvent): string {
  const version = detail ?? 'version unknown';
  return before === null ? version : `${version}, before ${before}`;
}
