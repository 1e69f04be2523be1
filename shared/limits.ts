/**
 * The limits of the data plane, of the management API's input and of the link, with their units.
 * Settings are in router/config.ts and agent/config.ts. A limit that only one file needs is a
 * constant of that file.
 */
export const limits = {
  /** The largest request body on the data plane. */
  bodyBytesMax: 32 * 1024 * 1024,
  /** How much of an oversized body is read and discarded, so that its sender receives the 400. */
  bodyDrainBytesMax: 128 * 1024 * 1024,
  /** The high-water mark of a socket: memory, per direction, of what its peer does not read. */
  socketBufferBytes: 16 * 1024,
  /** Bytes of bodies that are read before all other work on the event loop may run. */
  bodyTurnBytesMax: 1024 * 1024,
  bodyReadMsMax: 60_000,
  /** The memory for bodies, in total and for one organization. */
  bodiesBytesMax: 512 * 1024 * 1024,
  bodiesPerOrganizationBytesMax: 128 * 1024 * 1024,
  /**
   * How many bodies are read and checked at once, in total and for one organization. A body takes
   * nothing of the memory above until its first byte.
   */
  bodiesReadingMax: 8_192,
  bodiesReadingPerOrganizationMax: 1_024,
  /** A body of at most this size is checked on the event loop, a larger one on a thread. */
  bodyInlineBytesMax: 16 * 1024,
  /** A thread that takes longer for one body is terminated. */
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
  /**
   * Connections on all listeners, in total and of one address (of IPv6: its first 64 bits) that is
   * not a trusted proxy.
   */
  connections: { totalMax: 32 * 1024, peerMax: 4 * 1024 },
  /**
   * Descriptors that connections leave free. An idle router has about 50 open; its metrics, the
   * store, its threads and what it dials itself take up to another 100.
   */
  descriptorsReserved: 160,
  /** Requests that one connection may send ahead of their responses (pipelining). */
  pipelinedMax: 16,
  /** Requests that begin in one turn of the event loop. */
  requestsPerTurnMax: 16,
  /** When so many wait for a later turn, a connection may have one request and send none ahead. */
  requestsWaitingMax: 8_192,
  /** Connections to the metrics of a router or an agent. */
  metricsConnectionsMax: 64,
  /** Workers, and agents, with time series of their own. Agents choose the names of their workers. */
  workerSeriesMax: 1_024,
  stopSequencesMax: 4,

  /**
   * The largest body on the management API: on a public route, of a payment provider's event, and
   * on any other route.
   */
  strangerBodyBytesMax: 16 * 1024,
  eventBodyBytesMax: 256 * 1024,
  callerBodyBytesMax: 1024 * 1024,
  /** How long such a body may take to arrive, and how many of its pieces may be of any size. */
  controlBodyMsMax: 15_000,
  controlBodySmallPiecesMax: 64,
  controlJsonNodesMax: 20_000,
  /**
   * Such bodies in progress at once, in total and of one address (of IPv6: its first 64 bits), and
   * their memory.
   */
  strangerBodies: {
    at: { totalMax: 256, peerMax: 16 },
    bytes: { totalBytesMax: 32 * 1024 * 1024, peerBytesMax: 2 * 1024 * 1024 },
  },
  callerBodies: {
    at: { totalMax: 256, peerMax: 32 },
    bytes: { totalBytesMax: 128 * 1024 * 1024, peerBytesMax: 16 * 1024 * 1024 },
  },
  /** CSV files that are sent at once, in total and to one organization or operator. */
  downloads: { totalMax: 32, peerMax: 2 },

  /** Keys that are not deleted. The playground's keys do not count. */
  keysPerOrganizationMax: 1_000,
  /** Models in the list of those that a key may call. */
  allowedModelsMax: 100,
  /** All ids of this list with a space between them, in UTF-8: a thousand keys are listed at once. */
  allowedModelsBytesMax: 4_096,
  /** Management tokens that are not revoked. */
  managementTokensPerOrganizationMax: 100,

  /**
   * Output tokens that are held at first, about thirty seconds of output. The hold is extended when
   * half of them are used.
   */
  sliceTokens: 2_048,
  /** A request whose whole output has at most this many tokens holds all of it at first. */
  wholeHoldTokensMax: 4_096,
  /** The estimated tokens of an image, until the engine has counted it. */
  imageTokensEstimate: 1_600,
  /** The most tokens that an image may be reported to have. */
  imageTokensMax: 20_000,
  /**
   * The most tokens that a chat template may add to the prompt: once, and for each message or tool.
   */
  templateTokensMax: 2_048,
  templateTokensPerPartMax: 64,
  /** The estimate of what a chat template adds, until hosts have shown that it adds more. */
  templateTokensEstimate: 256,
  /**
   * Tokens of an answer that are not part of its text (markers of turns, reasoning and tools): the
   * first estimate, and the most.
   */
  markerTokensEstimate: 128,
  markerTokensMax: 1_024,

  /** Bytes of an answer that may be in flight to a client that does not read. */
  streamWindowBytes: 256 * 1024,
  /**
   * The memory for answers that are not streamed, and for text of streams that their API repeats or
   * holds back: of one answer, of all answers, and of all answers of one agent.
   */
  answerBytesMax: 64 * 1024 * 1024,
  answersBytesMax: 1024 * 1024 * 1024,
  answersPerAgentBytesMax: 512 * 1024 * 1024,
  /** The memory for answers that a repeated request gets again, and how long they are kept. */
  keptAnswersBytesMax: 256 * 1024 * 1024,
  keptAnswersPerOrganizationBytesMax: 16 * 1024 * 1024,
  keptAnswerMsMax: 10 * 60_000,
  /** Repeated requests that wait for one request to end. */
  repeatsWaitingMax: 8,
  /**
   * The rate at which kept answers are sent again, in bytes of their memory: of all organizations,
   * and of one. The bursts: all answers that may be kept; for an organization, twice its own.
   */
  replays: {
    all: { perSecond: 50 * 1024 * 1024, burst: 256 * 1024 * 1024 },
    peer: { perSecond: 2.5 * 1024 * 1024, burst: 32 * 1024 * 1024 },
    peersMax: 16_384,
  },
  /**
   * Requests with log probabilities at once, of one organization and of all: each token of theirs
   * costs a router as much as dozens of others.
   */
  logprobsRequestsPerOrganizationMax: 16,
  /** The same of one organization, once half of the places of all are taken. */
  logprobsRequestsWhenCrowdedMax: 4,
  logprobsRequestsMax: 64,
  /** Log probabilities of an answer that is not streamed: its tokens and their alternatives. */
  logprobsPerAnswerMax: 50_000,
  /** A client that reads nothing for this long is disconnected. */
  writeStallMsMax: 60_000,
  /** How long a client may take for the last bytes of its answer, which are all in memory. */
  lastBytesMsMax: 10 * 60_000,
  /** A stream that has nothing to send for this long begins with headers and comments. */
  commentAfterMs: 10_000,

  /** The rate of lines in the log of requests that are refused: of one organization, and of all. */
  refusalsLogged: {
    all: { perSecond: 100, burst: 400 },
    peer: { perSecond: 10, burst: 100 },
    peersMax: 16_384,
  },

  /** The rate at which refusals are kept in full: of one code of one organization. */
  refusalDetailsOfCode: {
    all: { perSecond: 10_000, burst: 50_000 },
    peer: { perSecond: 5, burst: 100 },
    peersMax: 16_384,
  },
  /** The same, of one organization with all its codes, and of all organizations. */
  refusalDetails: {
    all: { perSecond: 100, burst: 500 },
    peer: { perSecond: 15, burst: 150 },
    peersMax: 16_384,
  },

  /** The rate of new rows in the store of what happens to an agent and its workers. */
  hostEvents: {
    all: { perSecond: 100, burst: 5_000 },
    peer: { perSecond: 0.2, burst: 100 },
    peersMax: 16_384,
  },

  /** The rate of requests that are traced because the client wants it: of an organization, and all. */
  clientTraces: {
    all: { perSecond: 50, burst: 200 },
    peer: { perSecond: 5, burst: 20 },
    peersMax: 16_384,
  },

  /** The rate of answers of `GET /v1/key`: of one organization, and of all. */
  keyStatus: {
    all: { perSecond: 200, burst: 400 },
    peer: { perSecond: 5, burst: 20 },
    peersMax: 16_384,
  },

  /** The rate of requests to count tokens: of one organization, and of all. */
  tokenCounts: {
    all: { perSecond: 200, burst: 1_000 },
    peer: { perSecond: 10, burst: 100 },
    peersMax: 16_384,
  },

  attemptsMax: 3,
  /** Further attempts, on workers whose engines turn out to have too short a context. */
  shortContextsMax: 8,
  /** How often a request may be refused by agents that had reported room. */
  refusalsMax: 32,
  firstByteMsMax: 600_000,
  idleMsMax: 120_000,
  requestMsMax: 3_600_000,
  /** How long a client waits for a commit whose outcome is unknown. */
  settleMsMax: 10_000,
  /** How long the router waits for the last counts of a cancelled stream. */
  cancelReportMsMax: 1_000,

  /**
   * How long a worker that failed may take for the token of a probe, which shows that it generates
   * tokens again.
   */
  probeMsMax: 10_000,

  linkPayloadBytesMax: 4 * 1024 * 1024,
  /**
   * Frames of one message (neither end sends more than one, but a proxy may), and buffered pieces
   * of an incomplete frame.
   */
  linkFragmentsMax: 256,
  linkPiecesMax: 8 * 1024,
  /**
   * The size of one piece of a request body on the link, and how many body bytes may be
   * unacknowledged.
   */
  linkPieceBytes: 64 * 1024,
  linkBodyWindowBytes: 256 * 1024,
  /**
   * Characters of a text that an agent counts: `least` by all agents, `most` by those that say so in
   * their load reports.
   */
  linkCountChars: { least: 64 * 1024, most: 256 * 1024 },
  /** The rate of pings that an end of a link answers. */
  linkPings: { perSecond: 10, burst: 50 },
  /**
   * The rate of load reports that a router processes for one session. Of reports that come faster,
   * only the newest is processed.
   */
  linkLoads: {
    reports: { perSecond: 20, burst: 40 },
    bytes: { perSecond: 1024 * 1024, burst: 1024 * 1024 },
    againMs: 100,
  },
  linkHandshakeMsMax: 10_000,
  /**
   * Silence is checked at each ping, so a peer that is cut off is disconnected at the latest
   * 13 s after its last message.
   */
  linkPingMs: 3_000,
  linkSilenceMsMax: 10_000,
  /** Bytes that an agent's socket may buffer before the agent stops reading its engines. */
  linkBufferBytesMax: 8 * 1024 * 1024,
  /** Bytes that may wait for an agent to read. Beyond this, the router gives it no new work. */
  linkUnreadBytesMax: 4 * 1024 * 1024,
  loadReportMs: 1_000,

  /** Organizations that one person has created. A deleted one counts for another thirty days. */
  organizationsPerPersonMax: 10,
  membersPerOrganizationMax: 1_000,
  openInvitationsPerOrganizationMax: 100,
  /** Invitation emails of one organization in a day. */
  invitationLettersPerDayMax: 200,
  invitationMsMax: 7 * 24 * 60 * 60 * 1000,
} as const;

/**
 * Limits for the control messages of an agent, in one session. The bursts allow for a link that was
 * held up for as long as it may be silent, and then delivers everything at once.
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

/**
 * Limits for the control messages of a router, in one session. Each request takes several messages.
 */
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

/** The most entries of each list in a load report, over all its workers. */
export const loadTotals = { models: 4_096, gpus: 1_024, notes: 1_024 } as const;

/** Limits for an engine's responses to short requests: metrics, models and tokenizer. */
export const engineAnswers = {
  bytesMax: 4 * 1024 * 1024,
  /** A tokenized prompt lists every token. */
  tokensBytesMax: 16 * 1024 * 1024,
  bytes: { totalBytesMax: 128 * 1024 * 1024, peerBytesMax: 64 * 1024 * 1024 },
} as const;

/**
 * The rate at which an agent reports the requests of other routers to each router, in characters:
 * half of what a router accepts.
 */
export const echoChars = { perSecond: 1024 * 1024, burst: 8 * 1024 * 1024 } as const;
