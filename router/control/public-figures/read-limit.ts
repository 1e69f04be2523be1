/** Limits how often the models, their status and the feed of incidents are read without a session. */
import type { FastifyRequest } from 'fastify';
import { addressBlock } from '../../../shared/bounds/address-block.ts';
import { PeerRates } from '../../../shared/bounds/peer-rates.ts';
import type { Clock } from '../../../shared/clock.ts';
import { Refused } from '../api.ts';

/** Requests of one address (of IPv6: its first 64 bits), and of all together. */
export const PUBLIC_READS = {
  all: { perSecond: 500, burst: 1_000 },
  peer: { perSecond: 10, burst: 50 },
  peersMax: 16_384,
} as const;

/** Throws `Refused` for a request that is one too many. */
export type ReadLimit = (request: FastifyRequest) => void;

export function limitReads(clock: Clock): ReadLimit {
  const rates = new PeerRates<string>(clock, PUBLIC_READS);
  return ({ ip }) => {
    if (rates.spend(addressBlock(ip))) return;
    const message = 'Your network sends too many requests at once: retry shortly.';
    throw new Refused('rate_limited', message, undefined, 1);
  };
}
