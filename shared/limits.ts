/** Every bound of the two planes and of the link, with its unit. Configuration may change some of them. */
export const limits = {
  /** A request's body on the data plane. */
  bodyBytesMax: 32 * 1024 * 1024,
  /** How much of an oversized body is read and thrown away, so that its sender gets to see the 400. */
  bodyDrainBytesMax: 128 * 1024 * 1024,
  bodyReadMsMax: 60_000,
  /** Bodies kept at once, in all and of one organization. */
  bodiesBytesMax: 512 * 1024 * 1024,
  bodiesPerOrganizationBytesMax: 128 * 1024 * 1024,
  /** Bodies being read and checked at once: until its first byte a body takes nothing of the budget above. */
  bodiesReadingMax: 8_192,
  bodiesReadingPerOrganizationMax: 1_024,
  /** A body of at most this size is checked on the event loop, a larger one on a thread. */
  bodyInlineBytesMax: 16 * 1024,
  /** A thread that takes longer for one body is ended. */
  bodyCheckMsMax: 5_000,
  jsonDepthMax: 128,
  /** Values in a body: objects, arrays, strings, numbers and so on. */
  jsonNodesMax: 250_000,
  messagesMax: 8_192,
  /** Content parts of one message, and of all messages of a request. */
  partsPerMessageMax: 1_024,
  partsMax: 16_384,
  toolCallsPerMessageMax: 256,
  toolsMax: 1_024,
  modelIdCharsMax: 256,
  headerBytesMax: 16 * 1024,
  /** Connections on all listeners, in all and of one address (of IPv6: its first 64 bits) that is no trusted proxy. */
  connections: { totalMax: 32 * 1024, peerMax: 4 * 1024 },
  /** Requests that one connection may have sent ahead of their answers. */
  pipelinedMax: 16,
  /** Connections to the metrics of a router or an agent. */
  metricsConnectionsMax: 64,
  stopSequencesMax: 4,

  /** A body on the management API: on a route that anybody may use, a payment provider's event, and any other. */
  strangerBodyBytesMax: 16 * 1024,
  eventBodyBytesMax: 256 * 1024,
  callerBodyBytesMax: 1024 * 1024,
  /** How long it may take to come, and how many of its pieces may be as small as they like. */
  controlBodyMsMax: 15_000,
  controlBodySmallPiecesMax: 64,
  controlJsonNodesMax: 20_000,
  /** Such bodies under way at once, in all and of one address (of IPv6: its first 64 bits), and their memory. */
  strangerBodies: {
    at: { totalMax: 256, peerMax: 16 },
    bytes: { totalBytesMax: 32 * 1024 * 1024, peerBytesMax: 2 * 1024 * 1024 },
  },
  callerBodies: {
    at: { totalMax: 256, peerMax: 32 },
    bytes: { totalBytesMax: 128 * 1024 * 1024, peerBytesMax: 16 * 1024 * 1024 },
  },

  /** Those that are not deleted; the playground's are not counted. */
  keysPerOrganizationMax: 1_000,
  /** Those that are not revoked. */
  managementTokensPerOrganizationMax: 100,

  /** Tokens of output held at first, about thirty seconds of it; extended when half is used. */
  sliceTokens: 2_048,
  /** Requests whose whole output is at most this hold all of it at once. */
  wholeHoldTokensMax: 4_096,
  /** Tokens an image is taken to cost before the engine has counted it. */
  imageTokensEstimate: 1_600,
  /** The most an image may be reported to cost. */
  imageTokensMax: 20_000,
  /** What a chat template may add to the prompt: once, and for each message or tool. */
  templateTokensMax: 2_048,
  templateTokensPerPartMax: 64,
  /** What it is taken to add as long as no hosts have shown that it adds more. */
  templateTokensEstimate: 256,
  /** Tokens of an answer that are no text of it (markers of turns, thoughts and tools): at first, and at most. */
  markerTokensEstimate: 128,
  markerTokensMax: 1_024,

  /** Bytes of an answer that may be under way to a reader who does not read. */
  streamWindowBytes: 256 * 1024,
  /** An answer that is not streamed, at the cost of its deltas; and all of them that are kept, in all and of one agent. */
  answerBytesMax: 64 * 1024 * 1024,
  answersBytesMax: 1024 * 1024 * 1024,
  answersPerAgentBytesMax: 512 * 1024 * 1024,
  /** A reader that takes nothing for this long is cut off. */
  writeStallMsMax: 60_000,
  /** With nothing to say for this long, a stream begins with headers and comments. */
  commentAfterMs: 10_000,

  attemptsMax: 3,
  /** Times that a request is refused by agents which had said that they have room. */
  refusalsMax: 32,
  firstByteMsMax: 600_000,
  idleMsMax: 120_000,
  requestMsMax: 3_600_000,
  /** How long a client waits for a commit whose outcome is unknown. */
  settleMsMax: 10_000,
  /** How long the last count of a cancelled stream is waited for. */
  cancelReportMsMax: 1_000,

  /** How long a worker that failed may take for the one token that shows it generates. */
  probeMsMax: 10_000,

  linkPayloadBytesMax: 4 * 1024 * 1024,
  /** Frames of one message (neither end makes more than one, a proxy may), and pieces that wait for a whole frame. */
  linkFragmentsMax: 256,
  linkPiecesMax: 8 * 1024,
  /** One piece of a request body on the link, and how much of bodies may be unacknowledged. */
  linkPieceBytes: 64 * 1024,
  linkBodyWindowBytes: 256 * 1024,
  /** Pings that an end of a link answers. */
  linkPings: { perSecond: 10, burst: 50 },
  /** Load reports of one session that a router looks at; of those that come faster it looks at the newest. */
  linkLoads: {
    reports: { perSecond: 20, burst: 40 },
    bytes: { perSecond: 1024 * 1024, burst: 1024 * 1024 },
    againMs: 100,
  },
  linkHandshakeMsMax: 10_000,
  /** A peer that is cut off is looked at with each ping: it is given up 13 s after its last word at the latest. */
  linkPingMs: 3_000,
  linkSilenceMsMax: 10_000,
  /** What an agent may have waiting in its socket before it stops reading its engines. */
  linkBufferBytesMax: 8 * 1024 * 1024,
  /** What a router may have waiting for an agent to read before it gives it new work. */
  linkUnreadBytesMax: 4 * 1024 * 1024,
  loadReportMs: 1_000,

  /** Of one person: those that they opened for themselves, until thirty days after their deletion. */
  organizationsPerPersonMax: 10,
  membersPerOrganizationMax: 1_000,
  openInvitationsPerOrganizationMax: 100,
  /** Letters with an invitation, of one organization in a day. */
  invitationLettersPerDayMax: 200,
  invitationMsMax: 7 * 24 * 60 * 60 * 1000,
} as const;

/**
 * Control messages of an agent, of one session. The bursts are what a link that was held up for as long as it may be
 * silent brings at once.
 */
export const fromAgentBounds = {
  bytesMax: {
    load: 512 * 1024,
    echo: 1280 * 1024,
    drain: 4 * 1024,
    refused: 1024,
    ack: 1024,
    counted: 1024,
    hello: 4 * 1024,
    proof: 4 * 1024,
  },
  shape: { depthMax: 8, nodesMax: 32 * 1024 },
  messages: { perSecond: 2_000, burst: 5_000 },
  bytes: { perSecond: 4 * 1024 * 1024, burst: 32 * 1024 * 1024 },
  bytesOf: { echo: { perSecond: 2 * 1024 * 1024, burst: 16 * 1024 * 1024 } },
} as const;

/** Control messages of a router, of one session: each request takes several. */
export const fromRouterBounds = {
  bytesMax: {
    challenge: 4 * 1024,
    welcome: 2 * 1024 * 1024,
    peers: 1024 * 1024,
    drain: 4 * 1024,
    open: 128 * 1024,
    grant: 1024,
    cancel: 1024,
    count: 1024 * 1024,
  },
  shape: { depthMax: 16, nodesMax: 256 * 1024 },
  messages: { perSecond: 20_000, burst: 100_000 },
  bytes: { perSecond: 64 * 1024 * 1024, burst: 128 * 1024 * 1024 },
} as const;

/** What a load report may have of each kind in all its workers together. */
export const loadTotals = { models: 4_096, gpus: 1_024, notes: 1_024 } as const;

/** Answers of an engine to short questions, as its agent reads them: of its metrics, its models, its tokenizer. */
export const engineAnswers = {
  bytesMax: 4 * 1024 * 1024,
  /** A tokenized prompt lists every token. */
  tokensBytesMax: 16 * 1024 * 1024,
  bytes: { totalBytesMax: 128 * 1024 * 1024, peerBytesMax: 64 * 1024 * 1024 },
} as const;

/** What an agent tells each router of the requests of others, in characters: half of what the router takes. */
export const echoChars = { perSecond: 1024 * 1024, burst: 8 * 1024 * 1024 } as const;

/** Sockets on `/agent` that have not proven who they are. */
export const greetingLimits = {
  /** Of one address (of IPv6: its first 64 bits), and in all. */
  strangers: { totalMax: 1_024, peerMax: 32 },
  /** Those that name the key of an enrolled agent: of one key, and in all. */
  agents: { totalMax: 4_096, peerMax: 4 },
  /** A socket that is younger than this makes no room for others. */
  graceMs: 500,
  /** How soon the hello has to come; the whole handshake has `limits.linkHandshakeMsMax`. */
  helloMsMax: 2_000,
  /** What a socket may send before it is welcome, and in how many pieces. */
  bytesMax: 16 * 1024,
  piecesMax: 64,
  /** New strangers, and questions to the store about their keys and join tokens. */
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
  /** Lines in the log about strangers who were refused. */
  refusalsLogged: { perSecond: 5, burst: 50 },
} as const;
