/**
 * The versions of the link's protocol. Each end offers or accepts those that it speaks, and a
 * session uses the newest that both speak. `messages.ts` says which changes need a new version.
 */

/**
 * Newest first. In v1 answers were bytes, in v2 they are deltas. A version stays in the list until
 * no release that is still supported lacks the next one (docs/upgrades.md).
 */
export const PROTOCOL_VERSIONS = [2] as const;
export type ProtocolVersion = (typeof PROTOCOL_VERSIONS)[number];

const NAME = /^penstock\.v(\d{1,4})$/;

/** The name of a version in the WebSocket handshake, where the versions are subprotocols. */
export function subprotocolOf(version: number): string {
  return `penstock.v${version}`;
}

/** What an agent offers, in the order of its preference. */
export const SUBPROTOCOLS: readonly string[] = PROTOCOL_VERSIONS.map(subprotocolOf);

/**
 * Returns the subprotocol that the router chooses of those that an agent offers, or false if none
 * is of Penstock. If there is no common version, the router accepts one that it does not speak, so
 * that it can tell the agent the reason (`versionOf`). A failed handshake would give no reason.
 */
export function chooseSubprotocol(
  offered: ReadonlySet<string>,
  spoken: readonly string[] = SUBPROTOCOLS,
): string | false {
  return (
    spoken.find((subprotocol) => offered.has(subprotocol)) ??
    [...offered].find((subprotocol) => NAME.test(subprotocol)) ??
    false
  );
}

/**
 * Returns the version that the handshake has chosen. Throws an Error with the reason for the agent
 * and for the router's log if this router does not speak it. `offered`: the header of the agent.
 */
export function versionOf(chosen: string, offered = chosen): ProtocolVersion {
  const version = PROTOCOL_VERSIONS.find((spoken) => subprotocolOf(spoken) === chosen);
  if (version === undefined) throw new Error(noCommonVersion(offered, PROTOCOL_VERSIONS));
  return version;
}

/** How many of the versions that an agent offers are named. The reason must fit a close frame. */
const NAMED_MAX = 6;

/** Says which versions each end speaks, and which end to update. */
export function noCommonVersion(offered: string, spoken: readonly number[]): string {
  const theirs = offered
    .split(',')
    .flatMap((subprotocol) => NAME.exec(subprotocol.trim())?.[1] ?? [])
    .map(Number);
  const older = Math.max(...theirs) < Math.max(...spoken) ? 'agent' : 'router';
  const named = listed(theirs.slice(0, NAMED_MAX));
  return `the router speaks protocol ${listed(spoken)}, the agent ${named}: update the ${older}`;
}

function listed(versions: readonly number[]): string {
  return versions.length === 0 ? 'none' : versions.map((version) => `v${version}`).join(', ');
}
