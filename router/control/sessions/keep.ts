/**
 * Keeps sessions alive: each request of a session updates `last_seen`, and replaces the token when
 * that is due. A request for an organization also records that the member was active there.
 */
import type { Api } from '../api.ts';
import { recordActivity } from '../members/activity.ts';
import { giveCookie, mintSessionToken, presentedDigest, type SessionParts } from './mint.ts';
import { rotateSession, touchSession } from './procedures.ts';

/** The minimum time between two updates of the same time. */
const TOUCH_EVERY_MS = 60_000;

/** Call this after `openGate`, which determines the caller's session. */
export function keepSessions(api: Api, parts: SessionParts): void {
  const { store, clock } = parts;
  api.addHook('onRequest', async (request, reply) => {
    const { caller, acting } = request;
    if (caller?.kind !== 'person') return;
    const { id: session, rotate, lastSeen } = caller.session;
    const now = clock.now();
    if (now - lastSeen >= TOUCH_EVERY_MS) await store.call(touchSession, { session, now });
    const member = acting?.member ?? null;
    if (member !== null && now - member.lastActive >= TOUCH_EVERY_MS) {
      await store.call(recordActivity, { member: member.id, now });
    }
    if (!rotate) return;
    const digest = await presentedDigest(parts, request);
    if (digest === null) return;
    const { token, digest: to } = mintSessionToken(parts);
    if (await store.call(rotateSession, { session, digest, to, now })) {
      giveCookie(reply, parts, token);
    }
  });
}
