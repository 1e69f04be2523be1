/**
 * Every buffer of a router and of an agent that another party can fill: its location, its limits
 * per peer and in all, what happens beyond them, and the test that drives it over its limit. The
 * table in docs/ARCHITECTURE.md is generated from this one; `npm test -- -u` rewrites it.
 */
import { GATHERED_CHARS_MAX } from '../../agent/echoes.ts';
import { FORM_ATTEMPTS_MAX } from '../../agent/engine/chunk-reader.ts';
import { FORM_CHARS_MAX } from '../../agent/engine/event-form.ts';
import { QUEUE_CHARS_MAX } from '../../agent/engine/event-queue.ts';
import { WAITING_TEXT_MAX, WAITING_TOKENS_MAX } from '../../agent/engine/logprobs.ts';
import { BLOCKS_MAX } from '../../agent/engine/kv-events/evictions.ts';
import { READ_BYTES, SOCKET } from '../../agent/engine/kv-events/subscription.ts';
import { LEARNED_MAX } from '../../agent/routers.ts';
import { CHAT_SAVES } from '../../router/control/chats/routes.ts';
import { DRAWINGS_MAX } from '../../router/control/documents/drawings.ts';
import { AT_ONCE_MAX as EXPORTS_MAX } from '../../router/control/export/routes.ts';
import { AT_ONCE_MAX as HASHED_MAX, WAITING_MAX } from '../../router/control/people/passwords.ts';
import { PUBLIC_READS } from '../../router/control/public-figures/read-limit.ts';
import { CHUNKS_PER_SECOND } from '../../router/fleet/echo-rate-limiter.ts';
import {
  CLIENTS_OPEN_MAX,
  OPEN_BYTES_MAX as QUESTIONS_BYTES_MAX,
  OPEN_MAX as QUESTIONS_MAX,
  ORGANIZATION_WAITING_MAX,
  WAITING_MAX as QUESTIONS_WAITING_MAX,
} from '../../router/fleet/token-count-client.ts';
import { SERIES_MAX } from '../../router/history/recorder.ts';
import { JOB_DAYS } from '../../router/control/jobs/forget-task.ts';
import { STALL_MS } from '../../router/control/downloads.ts';
import { WEBHOOKS_AT_ONCE_MAX } from '../../router/control/background-jobs.ts';
import { ENDPOINTS_MAX } from '../../router/control/webhooks/procedures.ts';
import { DELIVERIES_KEPT_MAX } from '../../router/control/webhooks/queue.ts';
import { ATTEMPT_MS_MAX } from '../../router/control/webhooks/send.ts';
import {
  ANSWER_BYTES_MAX as WEBHOOK_ANSWER_BYTES_MAX,
  ANSWERS_KEPT_MAX,
} from '../../shared/webhook-events.ts';
import { AT_ONCE_MAX as JOBS_MAX } from '../../router/jobs/runner.ts';
import { OPERATIONS_WAITING_MAX } from '../../router/ledger/batch.ts';
import { ANSWER_BYTES_MAX, SAMPLES_UNDER_WAY_MAX } from '../../router/metering/auditor.ts';
import { TEXTS_MAX } from '../../router/request/answers/gather.ts';
import { COUNTED_MAX as FAULTY_COUNTED_MAX } from '../../router/request/faulty-requests.ts';
import { TOOL_INPUTS_BYTES_MAX } from '../../router/request/answers/tool-input.ts';
import { PAUSED_BYTES_MAX } from '../../router/request/reading/upload-turns.ts';
import { FOREIGN_MAX } from '../../router/routing/forecast.ts';
import { OWNERS_MAX } from '../../router/routing/prefix-index.ts';
import { PROMPTS_MAX } from '../../router/routing/repeated-prompts.ts';
import { HOST_EVENTS_WAITING_MAX } from '../../router/host-events/recorder.ts';
import {
  CELLS_MAX,
  CELLS_PER_ORGANIZATION_MAX,
  DETAILS_MAX,
} from '../../router/usage/refusals/recorder.ts';
import { keptChats } from '../../shared/bounds/kept-chats.ts';
import { engineAnswers, fromAgentBounds, fromRouterBounds, limits } from '../../shared/limits.ts';
import { SPANS_WAITING_MAX } from '../../shared/tracing/exporter.ts';
import { greetingLimits } from '../../router/fleet/greeting-limits.ts';

export type Buffer = Readonly<{
  what: string;
  /** The files that implement it, relative to the root of the repository. */
  where: readonly string[];
  peer: string;
  inAll: string;
  beyond: string;
  /** A test's file under `test/`, and its exact title. */
  test: readonly [file: string, title: string];
}>;

export function size(bytes: number): string {
  for (const [unit, of] of [
    ['GiB', 2 ** 30],
    ['MiB', 2 ** 20],
    ['KiB', 2 ** 10],
  ] as const) {
    if (bytes >= of && (bytes * 4) % of === 0) return `${bytes / of} ${unit}`;
  }
  return `${bytes} B`;
}

export function amount(count: number): string {
  return count.toLocaleString('en-US');
}

const { strangerBodies, callerBodies, connections } = limits;
const { strangers, agents, arrivals, lookUps } = greetingLimits;

const ON_ROUTER: readonly Buffer[] = [
  {
    what: 'connections',
    where: ['router/connections.ts', 'router/descriptors.ts'],
    peer: `${amount(connections.peerMax)} an address (not of trusted proxies), at most half of all`,
    inAll: `${amount(connections.totalMax)}, or the limit on open files less ${limits.descriptorsReserved}`,
    beyond: 'closed and counted',
    test: [
      'router/connections.test.ts',
      'an address has so many connections, and gets another one when one has closed',
    ],
  },
  {
    what: 'requests that a connection sends ahead of their answers',
    where: ['router/listen.ts'],
    peer: `${limits.pipelinedMax} a connection`,
    inAll: 'connections',
    beyond: 'the connection closes',
    test: [
      'router/connections.test.ts',
      'a connection that sends thousands of requests ahead is closed, and few of them are looked at',
    ],
  },
  {
    what: 'requests that begin in a later turn of the event loop',
    where: ['router/request-turns.ts'],
    peer: `${limits.requestsPerTurnMax} a turn; connections take turns`,
    inAll: `${amount(limits.requestsWaitingMax)} wait, and beyond that one of each connection`,
    beyond: 'a connection that sends requests ahead closes',
    test: [
      'router/connections.test.ts',
      'when very many requests wait, a connection that sends requests ahead is closed',
    ],
  },
  {
    what: 'bodies on routes without a session',
    where: ['router/control/bodies.ts'],
    peer: `${strangerBodies.at.peerMax} read at once and ${size(strangerBodies.bytes.peerBytesMax)} an address; ${size(limits.strangerBodyBytesMax)} each, an event ${size(limits.eventBodyBytesMax)}`,
    inAll: `${strangerBodies.at.totalMax} and ${size(strangerBodies.bytes.totalBytesMax)}`,
    beyond: '429 or 400, and the connection closes',
    test: [
      'router/control/bodies.test.ts',
      'bodies that are worked on count for their address until they are done with',
    ],
  },
  {
    what: "callers' bodies on the management API",
    where: ['router/control/bodies.ts'],
    peer: `${callerBodies.at.peerMax} read at once and ${size(callerBodies.bytes.peerBytesMax)} an address; ${size(limits.callerBodyBytesMax)} each`,
    inAll: `${callerBodies.at.totalMax} and ${size(callerBodies.bytes.totalBytesMax)}`,
    beyond: '429 or 400, and the connection closes',
    test: ['router/control/bodies.test.ts', 'a route for callers takes more, and has a bound, too'],
  },
  {
    what: 'CSV files that are being sent',
    where: ['router/control/downloads.ts'],
    peer: `${limits.downloads.peerMax} to an organization or operator, ${STALL_MS / 1_000} s without being read`,
    inAll: `${limits.downloads.totalMax}; one piece of 100 rows a turn of the event loop`,
    beyond: '429, or the connection closes',
    test: [
      'router/control/downloads.test.ts',
      'a file whose client reads nothing for a minute ends, and its place is free',
    ],
  },
  {
    what: 'requests for the models, their status and the feed of incidents, which need no session',
    where: [
      'router/control/public-figures/read-limit.ts',
      'router/control/cached-value.ts',
      'router/control/public-figures/model-histories.ts',
    ],
    peer: `${PUBLIC_READS.peer.perSecond} a second an address`,
    inAll: `${PUBLIC_READS.all.perSecond} a second, of which one reads the history, and one that of each model and span`,
    beyond: '429',
    test: [
      'router/control/public-figures.test.ts',
      'an address that asks without end is refused for a while',
    ],
  },
  {
    what: 'values in a body on the management API',
    where: ['shared/bounds/json-scan.ts'],
    peer: `${amount(limits.controlJsonNodesMax)} a body, ${limits.jsonDepthMax} levels`,
    inAll: 'bodies',
    beyond: '400 before it is parsed',
    test: ['router/control/bodies.test.ts', 'of many small values is refused before it is parsed'],
  },
  {
    what: 'strangers on `/agent`',
    where: ['router/fleet/greetings.ts'],
    peer: `${strangers.peerMax} an address, ${arrivals.peer.perSecond} new ones a second, ${size(greetingLimits.bytesMax)} each`,
    inAll: `${amount(strangers.totalMax)}, ${amount(arrivals.all.perSecond)} new ones a second`,
    beyond: 'the oldest is closed, or the new one',
    test: [
      'router/fleet/greetings.test.ts',
      'strangers of all addresses have so many places, and the oldest make room',
    ],
  },
  {
    what: 'sockets on `/agent` that name the key of an enrolled agent',
    where: ['router/fleet/greetings.ts'],
    peer: `${agents.peerMax} a key`,
    inAll: amount(agents.totalMax),
    beyond: 'the oldest of the key is closed, or the new one',
    test: [
      'router/fleet/greetings.test.ts',
      'whoever knows the key of an agent takes no places but those of this key',
    ],
  },
  {
    what: 'lookups in the store of keys that strangers present',
    where: ['router/fleet/greetings.ts'],
    peer: `${lookUps.peer.perSecond} a second an address`,
    inAll: `${lookUps.all.perSecond} a second`,
    beyond: 'the socket is refused',
    test: [
      'router/fleet/greetings.test.ts',
      'strangers have the store asked at a bounded rate, enrolled agents at any',
    ],
  },
  {
    what: 'control messages of an agent',
    where: ['shared/wire/message-budget.ts'],
    peer: `${amount(fromAgentBounds.messages.perSecond)} and ${size(fromAgentBounds.bytes.perSecond)} a second a session, of echoes ${size(fromAgentBounds.bytesOf.echo.perSecond)}; a report of load ${size(fromAgentBounds.bytesMax.load)}`,
    inAll: 'sessions',
    beyond: 'the session ends',
    test: [
      'router/fleet/control-messages.test.ts',
      'bytes of messages without end end the session',
    ],
  },
  {
    what: 'load reports that are not parsed yet',
    where: ['router/fleet/load-report-limiter.ts'],
    peer: `1 a session; ${limits.linkLoads.reports.perSecond} and ${size(limits.linkLoads.bytes.perSecond)} a second are looked at`,
    inAll: 'sessions',
    beyond: 'the newest takes the place of the one before',
    test: [
      'router/fleet/control-messages.test.ts',
      'of load reports that come too fast the newest is looked at, and the session goes on',
    ],
  },
  {
    what: 'echoes of other routers',
    where: ['router/fleet/echo-rate-limiter.ts', 'router/routing/forecast.ts'],
    peer: `${amount(CHUNKS_PER_SECOND)} chunks a second a session; ${amount(FOREIGN_MAX)} requests a worker`,
    inAll: 'workers',
    beyond: 'dropped',
    test: [
      'router/fleet/echo-rate-limiter.test.ts',
      'an agent that echoes without end is heard for a part of it, and again later',
    ],
  },
  {
    what: 'pings',
    where: ['shared/wire/pings.ts'],
    peer: `${limits.linkPings.perSecond} a second a link`,
    inAll: 'links',
    beyond: 'the link ends',
    test: [
      'router/fleet/control-messages.test.ts',
      'a flood of pings is not answered, and ends the link',
    ],
  },
  {
    what: 'an incomplete message on a link',
    where: ['router/fleet/links.ts'],
    peer: `${size(limits.linkPayloadBytesMax)}, ${limits.linkFragmentsMax} frames, ${amount(limits.linkPiecesMax)} pieces`,
    inAll: 'links',
    beyond: 'the link ends',
    test: [
      'router/control/strangers.test.ts',
      'an agent whose message comes in thousands of frames is cut off',
    ],
  },
  {
    what: 'bodies of requests on `/v1`',
    where: ['router/request/entrance.ts'],
    peer: `${size(limits.bodiesPerOrganizationBytesMax)} an organization, and half of what it leaves to others; ${size(limits.bodyBytesMax)} each`,
    inAll: size(limits.bodiesBytesMax),
    beyond: '429, or 503 if all is taken; 400 if it is larger',
    test: [
      'shared/bounds/budget.test.ts',
      'a peer takes no more than its own part, whatever is left in all',
    ],
  },
  {
    what: 'bodies on `/v1` that are being read and checked',
    where: ['router/request/entrance.ts', 'router/request/reading/body-readers.ts'],
    peer: `${amount(limits.bodiesReadingPerOrganizationMax)} an organization, which take turns`,
    inAll: amount(limits.bodiesReadingMax),
    beyond: '429, or 503 if all are taken',
    test: [
      'router/request/entrance.test.ts',
      'bodies that are being read are bounded in number, for an organization and in all',
    ],
  },
  {
    what: 'answers with log probabilities, whose tokens take many times as many bytes',
    where: ['router/request/entrance.ts', 'router/catalog/rules.ts'],
    peer:
      `${amount(limits.logprobsRequestsPerOrganizationMax)} an organization, ` +
      `${limits.logprobsRequestsWhenCrowdedMax} once half of all are taken; ` +
      `${amount(limits.logprobsPerAnswerMax)} probabilities each if it is not streamed`,
    inAll: amount(limits.logprobsRequestsMax),
    beyond:
      '429, or 503 if all are taken; 400 if a longer answer is requested; an answer without `max_tokens` ends with `length`',
    test: [
      'router/request/entrance.test.ts',
      'requests with log probabilities are bounded in number, for an organization and in all',
    ],
  },
  {
    what: 'pieces of bodies on `/v1` that wait for their turn',
    where: ['router/request/reading/upload-turns.ts'],
    peer: `${size(PAUSED_BYTES_MAX)} a body`,
    inAll: 'bodies of requests on `/v1`',
    beyond: '429, or 503 if all is taken',
    test: [
      'router/request/reading/upload-turns.test.ts',
      'what Node keeps of a body that is paused counts against the budget',
    ],
  },
  {
    what: 'values in a body on `/v1`',
    where: ['shared/bounds/json-scan.ts', 'router/request/reading/check.ts'],
    peer: `${amount(limits.jsonNodesMax)} a body, ${limits.jsonDepthMax} levels; ${amount(limits.messagesMax)} messages, ${amount(limits.partsMax)} parts`,
    inAll: 'bodies of requests on `/v1`',
    beyond: '400 before a schema sees it',
    test: [
      'router/request/reading/read.test.ts',
      'parts and tool calls, too, are checked up to the first fault',
    ],
  },
  {
    what: 'requests that wait for a worker of their model',
    where: ['router/request/waiting-room.ts'],
    peer: 'all places; others take those of the organization with the most',
    inAll: '`waiting.requestsMax` for each model and region',
    beyond: '503, or 429 for the organization with the most',
    test: [
      'router/request/waiting.test.ts',
      'when the queue is full, others take places of the organization that has the most',
    ],
  },
  {
    what: 'recent refusals of the ledger, by key',
    where: ['router/request/recent-refusals.ts'],
    peer: '100 keys an organization',
    inAll: '10,000 organizations',
    beyond: 'the oldest is forgotten',
    test: [
      'router/request/entrance.test.ts',
      'what is remembered is bounded: the oldest is forgotten',
    ],
  },
  {
    what: 'requests that are refused for their content, counted by organization and key',
    where: ['router/request/faulty-requests.ts'],
    peer: 'its limit of requests a minute; beyond that its bodies are not read',
    inAll: `${amount(FAULTY_COUNTED_MAX)} organizations and keys`,
    beyond: '429; the one that was counted least recently is forgotten',
    test: [
      'router/request/faulty-requests.test.ts',
      'requests for unknown models count against the limit of a minute, and beyond it are not read',
    ],
  },
  {
    what: 'refusals that are counted, and those that wait in full for the store',
    where: ['router/usage/refusals/recorder.ts'],
    peer: `${CELLS_PER_ORGANIZATION_MAX} keys and codes an organization in a minute; in full ${limits.refusalDetailsOfCode.peer.perSecond} a second of each code, and ${limits.refusalDetails.peer.perSecond} of all`,
    inAll: `${amount(CELLS_MAX)} keys and codes; ${amount(DETAILS_MAX)} in full`,
    beyond:
      'counted without their key; beyond the total not counted, which is logged; not kept in full',
    test: [
      'router/usage/refusals.test.ts',
      'a flood costs a constant: the counts are exact, and the details are a sample',
    ],
  },
  {
    what: 'events of agents that wait for the store',
    where: ['router/host-events/recorder.ts'],
    peer: `${amount(limits.hostEvents.peer.burst)}, then one in ${1 / limits.hostEvents.peer.perSecond} s; what happens again in a minute is counted`,
    inAll: amount(HOST_EVENTS_WAITING_MAX),
    beyond: 'not recorded, which is logged',
    test: [
      'router/host-events/host-events.test.ts',
      'an agent that invents events has a rate, and takes no room from another',
    ],
  },
  {
    what: 'answers that are not streamed, and text of streams that their API repeats or holds back',
    where: [
      'router/request/answers/gather.ts',
      'router/request/answers/responses.ts',
      'router/request/answers/held-blocks.ts',
    ],
    peer: `${size(limits.answerBytesMax)} an answer, then the session of its host ends if it is not streamed; ${size(limits.answersPerAgentBytesMax)} an agent`,
    inAll: size(limits.answersBytesMax),
    beyond: '503; a stream that has begun is cut',
    test: [
      'router/request/answers.test.ts',
      'a whole answer for which there is no memory is refused, and its worker is not to blame',
    ],
  },
  {
    what: 'answers that are kept for repeated requests',
    where: ['router/request/repeats/kept-answers.ts'],
    peer: `${size(limits.keptAnswersPerOrganizationBytesMax)} an organization, for ${limits.keptAnswerMsMax / 60_000} minutes`,
    inAll: size(limits.keptAnswersBytesMax),
    beyond:
      'the oldest of the organization is forgotten, or the oldest of all; the new one is not kept if neither makes room',
    test: [
      'router/request/kept-answers.test.ts',
      'the oldest answers of an organization make room for its new ones, and when nothing is left in all, the oldest of all',
    ],
  },
  {
    what: 'repeated requests that wait for the first one',
    where: ['router/request/repeats/repeats.ts'],
    peer: `${limits.repeatsWaitingMax} a key`,
    inAll: 'bodies of requests on `/v1`',
    beyond: '429',
    test: [
      'router/request/repeats.test.ts',
      'repeats wait for a request that is under way, and all get its answer',
    ],
  },
  {
    what: 'texts and thoughts of a stream that are told apart',
    where: ['router/request/answers/responses.ts', 'router/request/answers/held-blocks.ts'],
    peer: `${TEXTS_MAX} an answer`,
    inAll: 'answers',
    beyond: 'text goes on in the last of its kind',
    test: [
      'router/request/answers-responses.test.ts',
      'of texts and thoughts that alternate without end, each goes on in the last of its kind',
    ],
  },
  {
    what: 'inputs of tools that are parsed for an answer that is not streamed',
    where: ['router/request/answers/tool-input.ts'],
    peer: `${size(TOOL_INPUTS_BYTES_MAX)} an answer`,
    inAll: 'answers',
    beyond: '400, which says that a stream has no such limit',
    test: [
      'router/request/answers-messages.test.ts',
      'the inputs of all tools of a whole answer are limited: a final refusal, at no fault of the worker',
    ],
  },
  {
    what: 'the text of answers that are audited',
    where: ['router/metering/auditor.ts'],
    peer: `${size(ANSWER_BYTES_MAX)} an answer`,
    inAll: `${SAMPLES_UNDER_WAY_MAX} answers`,
    beyond: 'not audited',
    test: [
      'router/metering/auditor.test.ts',
      'an attempt that is not finished is no sample, and no more are kept than there is room for',
    ],
  },
  {
    what: 'bodies under way to an agent',
    where: ['router/fleet/body-sender.ts'],
    peer: `${size(limits.linkBodyWindowBytes)} unacknowledged a link`,
    inAll: 'bodies of requests on `/v1`',
    beyond: 'they wait',
    test: [
      'router/fleet/body-sender.test.ts',
      'of bodies to an agent so much is under way unacknowledged, and the rest waits',
    ],
  },
  {
    what: 'control messages to an agent',
    where: ['router/fleet/session.ts'],
    peer: `${size(limits.linkUnreadBytesMax)} a link`,
    inAll: 'links',
    beyond: `no new request; unread and silent for ${Math.ceil(limits.linkSilenceMsMax / limits.linkPingMs) * (limits.linkPingMs / 1000)} s its session ends`,
    test: [
      'router/fleet/session.test.ts',
      'an agent that talks and does not read gets no new work, and its session ends',
    ],
  },
  {
    what: 'an answer that its client does not read',
    where: ['router/request/backlog.ts'],
    peer: `${size(limits.streamWindowBytes)} a stream`,
    inAll: 'streams, bounded by the limits of organizations',
    beyond:
      'the router grants no more bytes, so the agent stops reading the answer of the engine; after a minute the stream is cut, and the last bytes have ten minutes',
    test: [
      'router/request/relay.test.ts',
      'MONEY 15: who stops reading pays for what was generated until that was given up',
    ],
  },
  {
    what: 'requests to hosts to count the tokens of a text',
    where: ['router/fleet/token-count-client.ts'],
    peer: `${QUESTIONS_MAX} a session, ${CLIENTS_OPEN_MAX} of them for clients; for clients and for audits ${size(QUESTIONS_BYTES_MAX)} of text each, or one text`,
    inAll: 'sessions',
    beyond: 'not asked',
    test: [
      'router/fleet/token-count-client.test.ts',
      'clients’ open texts are bounded in number and bytes, and a text beyond the bound goes alone',
    ],
  },
  {
    what: "clients' requests to count tokens that wait for a host",
    where: ['router/fleet/token-count-client.ts'],
    peer: `${ORGANIZATION_WAITING_MAX} an organization, ${QUESTIONS_WAITING_MAX} a session`,
    inAll: 'bodies of requests on `/v1`',
    beyond: 'answered with an estimate',
    test: [
      'router/request/token-counts.test.ts',
      'a host counts a few prompts of an organization at a time, some wait for their turn, and the rest are estimated',
    ],
  },
  {
    what: 'the prefix index',
    where: ['router/routing/prefix-index.ts'],
    peer: 'none: the newest entries are kept, whoever caused them',
    inAll: `${amount(OWNERS_MAX)} chunks`,
    beyond: 'the oldest is forgotten',
    test: [
      'router/routing/prefix-index.test.ts',
      'under a stream of unique prompts it stays within its bound and keeps what is new',
    ],
  },
  {
    what: 'whole prompts sent to engines without a salt',
    where: ['router/routing/repeated-prompts.ts'],
    peer: 'none: the newest are kept, whoever caused them',
    inAll: `${amount(PROMPTS_MAX)} prompts`,
    beyond: 'the oldest is forgotten, and its cached tokens are charged by whole chunks',
    test: [
      'router/routing/repeated-prompts.test.ts',
      'the newest prompts are remembered, as many as there is room for',
    ],
  },
  {
    what: 'operations of the ledger that wait for a batch',
    where: ['router/ledger/batch.ts'],
    peer: 'requests of an organization, by its limits',
    inAll: amount(OPERATIONS_WAITING_MAX),
    beyond: '503',
    test: [
      'router/ledger/batch.test.ts',
      'asked beyond what it can keep waiting, the ledger refuses at once',
    ],
  },
  {
    what: 'sign-ins',
    where: ['router/control/people/passwords.ts'],
    peer: '50 in 15 minutes an address',
    inAll: `${HASHED_MAX} hashed at once, ${WAITING_MAX} wait`,
    beyond: '429',
    test: [
      'router/control/passwords.test.ts',
      'of a flood, those that cannot wait are refused, and told to come again',
    ],
  },
  {
    what: 'exports of an organization',
    where: ['router/control/export/routes.ts'],
    peer: `${EXPORTS_MAX} an organization, read as they are taken`,
    inAll: 'connections',
    beyond: '429',
    test: [
      'router/control/export.test.ts',
      'of one organization two run at once, and one that was left counts no more',
    ],
  },
  {
    what: 'PDFs of receipts, invoices and statements that are being drawn',
    where: ['router/control/documents/drawings.ts'],
    peer: `${DRAWINGS_MAX.organization} an organization`,
    inAll: `${DRAWINGS_MAX.total}, one after another on a thread`,
    beyond: '429',
    test: [
      'router/control/drawings.test.ts',
      'so many documents of an organization are drawn at once, and so many of all',
    ],
  },
  {
    what: 'jobs, emails among them',
    where: ['router/jobs/runner.ts'],
    peer: 'the causes of jobs are limited: `control/people/throttle.ts`; emails about an incident are queued 100 at a time: `control/mail/incident-letters.ts`',
    inAll: `${JOBS_MAX} at once on a router; the rest waits in the store, which deletes a job ${JOB_DAYS} days after it ended`,
    beyond: 'they wait',
    test: ['router/control/jobs.test.ts', 'so many jobs run at once and no more'],
  },
  {
    what: 'events for webhook endpoints of customers',
    where: ['router/control/webhooks/queue.ts', 'router/control/webhooks/send.ts'],
    peer: `${ENDPOINTS_MAX} endpoints an organization, with ${DELIVERIES_KEPT_MAX} deliveries each; one attempt at a time, of ${ATTEMPT_MS_MAX / 1000} s and ${WEBHOOK_ANSWER_BYTES_MAX / 1024} KiB of the answer, which is kept of ${ANSWERS_KEPT_MAX} attempts of a delivery`,
    inAll: `${WEBHOOKS_AT_ONCE_MAX} attempts at once on a router; the rest waits in the store`,
    beyond: 'they wait; the oldest delivery of the endpoint is forgotten',
    test: [
      'router/control/webhooks.test.ts',
      'endpoints that do not answer hold up neither others nor emails, and get one request at a time',
    ],
  },
  {
    what: 'chats that people keep in their account',
    where: ['router/control/chats/routes.ts', 'router/control/chats/procedures.ts'],
    peer: `${CHAT_SAVES.peer.perSecond} save a second a person, after a burst of ${CHAT_SAVES.peer.burst}; ${keptChats.chatsMax} chats and ${keptChats.bytesMax / 1024 / 1024} MiB in the store`,
    inAll: `${CHAT_SAVES.all.perSecond} saves a second`,
    beyond: '429, before the body is read; 409',
    test: ['router/control/chats.test.ts', 'a person who saves without end is refused for a while'],
  },
  {
    what: 'series of workers in the history of the fleet',
    where: ['router/history/recorder.ts', 'router/history/write.ts'],
    peer: `${SERIES_MAX.workersOfAgent} an agent`,
    inAll: `${amount(SERIES_MAX.workers)} in memory, 8,192 in the store`,
    beyond: 'not recorded',
    test: [
      'router/history/history.test.ts',
      'an agent that renames its workers again and again has a bounded number of series',
    ],
  },
  {
    what: 'spans of traced requests that wait for the OTLP receiver',
    where: ['shared/tracing/exporter.ts'],
    peer: `${limits.clientTraces.peer.perSecond} requests a second an organization that are traced because the client wants it`,
    inAll: `${amount(SPANS_WAITING_MAX)}, on an agent as well`,
    beyond: 'dropped and counted',
    test: [
      'shared/tracing/exporter.test.ts',
      'more spans than may wait are dropped and counted, and the end does not wait for a receiver that does not answer',
    ],
  },
];

const ON_AGENT: readonly Buffer[] = [
  {
    what: 'control messages of a router',
    where: ['shared/wire/message-budget.ts'],
    peer: `${amount(fromRouterBounds.messages.perSecond)} and ${size(fromRouterBounds.bytes.perSecond)} a second a link; an \`open\` ${size(fromRouterBounds.bytesMax.open)}`,
    inAll: 'links',
    beyond: 'the session ends',
    test: [
      'router/fleet/control-messages.test.ts',
      'a router that floods its agent with messages is as much at fault',
    ],
  },
  {
    what: 'records to a router',
    where: ['agent/outbox.ts'],
    peer: `${size(limits.linkBufferBytesMax)} in the socket`,
    inAll: 'links',
    beyond: 'the agent stops reading the answers of its engines for this router',
    test: ['agent/grants.test.ts', 'a full link stops the reading of engines until it has drained'],
  },
  {
    what: "one engine's answer beyond its grant",
    where: ['agent/engine/event-queue.ts'],
    peer: `${QUEUE_CHARS_MAX / 2 ** 20} Mi characters a stream`,
    inAll: "the engine's slots",
    beyond: 'the engine is not read',
    test: ['agent/grants.test.ts', 'an answer that waits for tokens is not read on'],
  },
  {
    what: 'forms of events',
    where: ['agent/engine/chunk-reader.ts', 'agent/engine/event-form.ts'],
    peer: `${FORM_ATTEMPTS_MAX} of ${amount(FORM_CHARS_MAX)} characters an engine`,
    inAll: 'engines',
    beyond: 'events of other forms are parsed',
    test: [
      'agent/chunk-reader.test.ts',
      'an engine that writes each event in another form teaches a bounded number of them',
    ],
  },
  {
    what: 'tokens with log probabilities without their text, and text without its tokens',
    where: ['agent/engine/logprobs.ts'],
    peer: `${amount(WAITING_TOKENS_MAX)} tokens, ${size(WAITING_TEXT_MAX)} of text a stream`,
    inAll: "the engine's slots",
    beyond: 'they are dropped',
    test: ['agent/logprobs.test.ts', 'tokens that wait for their text are bounded'],
  },
  {
    what: 'responses of engines to short queries',
    where: ['agent/engine/client.ts'],
    peer: `${size(engineAnswers.bytes.peerBytesMax)} an engine; ${size(engineAnswers.bytesMax)} each, a list of tokens ${size(engineAnswers.tokensBytesMax)}`,
    inAll: size(engineAnswers.bytes.totalBytesMax),
    beyond: 'the response is dropped, as if the engine had not answered',
    test: ['agent/client.test.ts', 'an answer that is larger than any of its kind is none'],
  },
  {
    what: 'KV events of an engine that are not read yet',
    where: ['agent/engine/kv-events/subscription.ts'],
    peer: `${SOCKET.receiveHighWaterMark} of ${size(SOCKET.maxMessageSize)} an engine; ${size(READ_BYTES.perSecond)} a second are read`,
    inAll: 'engines',
    beyond: 'the engine drops events',
    test: [
      'agent/kv-events/subscription.test.ts',
      'an engine that publishes without end is read at a bounded rate',
    ],
  },
  {
    what: "blocks of an engine's prefix cache",
    where: ['agent/engine/kv-events/evictions.ts'],
    peer: `${amount(BLOCKS_MAX)} an engine`,
    inAll: 'engines',
    beyond: 'every second block is forgotten',
    test: [
      'agent/kv-events/evictions.test.ts',
      'however many blocks are stored, a bounded number is known, and the horizon still moves',
    ],
  },
  {
    what: 'echoes',
    where: ['agent/echoes.ts'],
    peer: 'no echoes of new requests are sent on a link that is full',
    inAll: `${size(GATHERED_CHARS_MAX)} gathered`,
    beyond: 'not reported',
    test: [
      'agent/echoes.test.ts',
      'a flood of long prompts goes out in messages that the link allows, and is bounded',
    ],
  },
  {
    what: 'links',
    where: ['agent/routers.ts'],
    peer: 'one a router',
    inAll: `those configured and ${LEARNED_MAX} more`,
    beyond: 'not dialled',
    test: [
      'agent/link.test.ts',
      'a hostile router has an agent dial a bounded number of addresses, however many it names',
    ],
  },
];

export const BUFFERS = { 'On a router': ON_ROUTER, 'On an agent': ON_AGENT } as const;
