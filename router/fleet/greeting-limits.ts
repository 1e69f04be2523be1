/** Limits for sockets on `/agent` that are not authenticated yet. */
export const greetingLimits = {
  /** Sockets of unknown agents, in total and of one address (of IPv6: its first 64 bits). */
  strangers: { totalMax: 1_024, peerMax: 32 },
  /** Sockets that name the key of an enrolled agent, in total and of one key. */
  agents: { totalMax: 4_096, peerMax: 4 },
  /** A socket that is younger than this is not closed to make room for others. */
  graceMs: 500,
  /** The timeout for the hello. The whole handshake has `limits.linkHandshakeMsMax`. */
  helloMsMax: 2_000,
  /** Bytes that a socket may send before the welcome, and in how many pieces. */
  bytesMax: 16 * 1024,
  piecesMax: 64,
  /** The rates of new sockets of unknown agents, and of store lookups of their keys and tokens. */
  arrivals: {
    all: { perSecond: 1_000, burst: 2_000 },
    peer: { perSecond: 100, burst: 200 },
    peersMax: 16_384,
  },
  lookUps: {
    all: { perSecond: 500, burst: 1_000 },
    peer: { perSecond: 50, burst: 200 },
    peersMax: 16_384,
  },
  enrolledKeysEveryMs: 10_000,
  enrolledKeysMax: 100_000,
  /** The rate of log lines about refused sockets. */
  refusalsLogged: { perSecond: 5, burst: 50 },
} as const;
