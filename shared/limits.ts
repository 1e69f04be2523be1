/** Every bound of the two planes and of the link, with its unit. Configuration may change some of them. */
export const limits = {
  /** A request's body on the data plane. */
  bodyBytesMax: 32 * 1024 * 1024,
  /** How much of an oversized body is read and thrown away, so that its sender gets to see the 400. */
  bodyDrainBytesMax: 128 * 1024 * 1024,
  bodyReadMsMax: 60_000,
  /** Bodies kept at once, in all and of one organization. */
  bodiesBytesMax: 2 * 1024 * 1024 * 1024,
  bodiesPerOrganizationBytesMax: 512 * 1024 * 1024,
  jsonDepthMax: 128,
  headerBytesMax: 16 * 1024,
  stopSequencesMax: 4,

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
  /** A non-streamed answer as the router buffers it. */
  answerBytesMax: 64 * 1024 * 1024,
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
  /** One piece of a request body on the link, and how much of bodies may be unacknowledged. */
  linkPieceBytes: 64 * 1024,
  linkBodyWindowBytes: 256 * 1024,
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
