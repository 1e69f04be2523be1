/** `penstock admin request show`: one request, found by its id or by that of its completion. */
import { RequestIdText } from '../../shared/api/ids.ts';
import { OperatorFoundRequest, type OperatorRefusal } from '../../shared/api/refusals.ts';
import type { OperatorUsageDetail } from '../../shared/api/usage.ts';
import { z } from 'zod';
import { command, usd } from './command.ts';
import type { Row } from './output.ts';

/** A completion has the id of its request, with the prefix of the API. */
const COMPLETION_PREFIX = /^(?:chatcmpl-|cmpl-|resp_|msg_)/;
const request = z
  .string()
  .transform((id) => id.replace(COMPLETION_PREFIX, 'req_'))
  .pipe(RequestIdText);

export const requests = {
  show: command({ request }, async ({ client, show }, flags) =>
    show(await client.call('GET', `/requests/${flags.request}`, OperatorFoundRequest), (found) =>
      'code' in found ? refusedFields(found) : usageFields(found),
    ),
  ),
};

function usageFields(found: OperatorUsageDetail): Row {
  return {
    request: found.request_id,
    completion: found.completion_id,
    organization: found.organization_id,
    key: keyOf(found),
    member: found.member_name,
    created: found.created,
    endpoint: found.endpoint,
    streamed: found.streamed,
    'max tokens': found.max_tokens,
    model: found.model,
    region: found.region,
    worker: found.agent_id === null ? null : `${found.agent_id}/${found.worker}`,
    status: `${found.status}${found.error === null ? '' : ` ${found.error}`}`,
    finish: found.finish_reason,
    'prompt tokens': `${found.prompt_tokens} (${found.cached_tokens} cached, ${found.cached_source})`,
    'completion tokens': found.completion_tokens,
    ...timelineFields(found),
    'first token (ms)': found.ttft_ms,
    'duration (ms)': found.duration_ms,
    cost: usd(found.cost),
  };
}

/** Nothing for a request that an earlier version served. */
function timelineFields({ timeline }: OperatorUsageDetail): Row {
  if (timeline === null) return {};
  const failed = timeline.failed_attempts.map(
    ({ code, after_ms, duration_ms }) => `${code} after ${duration_ms} ms, begun at ${after_ms} ms`,
  );
  return {
    'body read (ms)': timeline.body_ms,
    'admitted (ms)': timeline.admitted_ms,
    'waited (ms)': timeline.waited_ms,
    'last attempt (ms)': timeline.picked_ms,
    'failed attempts': failed.length === 0 ? null : failed.join('; '),
  };
}

/** A request that was refused before it was admitted. */
function refusedFields(found: OperatorRefusal): Row {
  return {
    request: found.request_id,
    organization: found.organization_id,
    key: keyOf(found),
    created: found.created,
    endpoint: found.endpoint,
    model: found.model,
    region: found.region,
    status: `${found.status} ${found.code}`,
    parameter: found.param,
    message: found.message,
  };
}

function keyOf({ key_id, key_name }: OperatorUsageDetail | OperatorRefusal): string {
  return `${key_id} ${key_name ?? ''}`.trimEnd();
}
