/**
 * The log of requests: one line for each request that named a valid key, written when it ends. It
 * has ids and figures, and nothing of a prompt, an answer or a key.
 */
import { PeerRates } from '../../shared/bounds/peer-rates.ts';
import type { Clock } from '../../shared/clock.ts';
import type { OrganizationId } from '../../shared/ids.ts';
import { limits } from '../../shared/limits.ts';
import type { Log } from '../../shared/log.ts';
import { formatUsd, type PicoUsd } from '../../shared/money.ts';
import type { Refusal } from '../../shared/refusals.ts';
import type { RequestLogSetting } from '../../shared/request-log-setting.ts';
import { CLIENT_LEFT, type Usage } from '../ledger/terms.ts';
import type { AdmittedRequest } from './admitted-request.ts';
import type { Caller } from './authenticate.ts';
import type { Call } from './call.ts';
import type { Reply } from './reply.ts';

const OK = 200;

export class RequestLog {
  readonly #log: Log;
  readonly #setting: () => RequestLogSetting;
  readonly #rates: PeerRates<OrganizationId>;
  #unlogged = 0;

  constructor(parts: Readonly<{ log: Log; clock: Clock; setting: () => RequestLogSetting }>) {
    this.#log = parts.log;
    this.#setting = parts.setting;
    this.#rates = new PeerRates(parts.clock, limits.refusalsLogged);
  }

  /** A request that was admitted, with its usage row. `cost`: null if it was not charged. */
  ended({ parsed, tries, trace }: AdmittedRequest, usage: Usage, cost: PicoUsd | null): void {
    const setting = this.#setting();
    if (setting === 'none' || (setting === 'failures' && usage.status === OK)) return;
    const { agent, worker } = usage;
    this.#log.info(
      {
        request: usage.request,
        completion: usage.completionId,
        organization: usage.organization,
        key: usage.key,
        source: usage.source,
        model: usage.model,
        region: usage.region,
        streamed: parsed.streamed,
        worker: agent === null ? null : `${agent}/${worker}`,
        attempts: tries.count,
        failedAttempts: tries.failed,
        waitedMs: Math.round(tries.waitedMs),
        ttftMs: usage.ttftMs,
        durationMs: usage.durationMs,
        promptTokens: usage.promptTokens,
        cachedTokens: usage.cachedTokens,
        completionTokens: usage.completionTokens,
        finishReason: usage.finishReason,
        status: usage.status,
        error: usage.error,
        costUsd: cost === null ? null : formatUsd(cost),
        ...(trace.id !== null && { trace: trace.id }),
      },
      'request ended',
    );
  }

  /** A request that got the answer of an earlier one, or whose client left while it waited for it. */
  repeated(
    { id: request, region }: Call,
    { organization, key }: Caller,
    model: string,
    { disconnected }: Pick<Reply, 'disconnected'>,
  ): void {
    const setting = this.#setting();
    if (setting === 'none' || (setting === 'failures' && !disconnected)) return;
    const status = disconnected ? CLIENT_LEFT : OK;
    this.#log.info({ request, organization, key, model, region, status }, 'repeated request ended');
  }

  /**
   * A request that was refused before it was admitted. The lines of each organization have a rate
   * limit. Strangers cause none, except at level debug.
   */
  refused(call: Call, caller: Caller | null, model: string | null, refusal: Refusal): void {
    if (this.#setting() === 'none') return;
    const { id: request, region } = call;
    const { status, code: error } = refusal;
    if (caller === null) {
      this.#log.debug({ request, region, status, error }, 'request refused');
      return;
    }
    const { organization, key } = caller;
    if (!this.#rates.spend(organization)) {
      this.#unlogged += 1;
      return;
    }
    const unlogged = this.#unlogged;
    this.#unlogged = 0;
    this.#log.info(
      { request, organization, key, model, region, status, error, unlogged },
      'request refused',
    );
  }
}
