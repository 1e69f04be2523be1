/** The statuses by which requests are filtered, whether they were admitted or refused before. */
export const STATUS_CLASSES = ['2xx', '4xx', '5xx'] as const;
type StatusClass = (typeof STATUS_CLASSES)[number];

/**
 * The statuses of admitted requests. `failed` means those with an error, whatever its status, and
 * `canceled` those whose client disconnected (499), which the class `4xx` includes.
 */
export const ADMITTED_STATUSES = ['failed', 'canceled', ...STATUS_CLASSES] as const;
export type AdmittedStatus = (typeof ADMITTED_STATUSES)[number];

/** `refused` means all requests that were refused before admission, whatever their status. */
export const REQUEST_STATUSES = ['refused', ...ADMITTED_STATUSES] as const;
export type RequestStatus = (typeof REQUEST_STATUSES)[number];

/**
 * The statuses by which the list of admitted requests and that of refused ones are filtered. Empty:
 * any status. Null: the list has no such request.
 */
export type ListStatuses = Readonly<{
  admitted: readonly AdmittedStatus[] | null;
  refused: readonly Exclude<StatusClass, '2xx'>[] | null;
}>;

export function statusesOf(chosen: readonly RequestStatus[]): ListStatuses {
  if (chosen.length === 0) return { admitted: [], refused: [] };
  const admitted = chosen.filter((status) => status !== 'refused');
  // Others than these have no refused request, and their list has no such filter.
  const ofRefusals = chosen.filter((status) => status === '4xx' || status === '5xx');
  const isAllRefused = chosen.includes('refused');
  return {
    admitted: admitted.length > 0 ? admitted : null,
    refused: isAllRefused ? [] : ofRefusals.length > 0 ? ofRefusals : null,
  };
}
