/**
 * Rendezvous (highest random weight) hashing: all routers rank the workers for a prompt in the same
 * order, even if each of them is connected to other workers.
 */
export function rendezvous<C extends Readonly<{ id: string }>>(
  affinityHash: number,
  candidates: readonly C[],
): C {
  let best = candidates[0] as C;
  if (candidates.length === 1) return best;
  let highest = -1;
  for (const candidate of candidates) {
    const weight = weigh(affinityHash, candidate.id);
    if (weight <= highest) continue;
    highest = weight;
    best = candidate;
  }
  return best;
}

/** FNV-1a over the id, seeded with the affinity hash, with a final mixing step. */
function weigh(affinityHash: number, id: string): number {
  let hash = affinityHash ^ 0x811c9dc5;
  for (let i = 0; i < id.length; i++) hash = Math.imul(hash ^ id.charCodeAt(i), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
