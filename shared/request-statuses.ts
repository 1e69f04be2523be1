/** The statuses by which requests are filtered, whether they were admitted or refused before. */
export const STATUS_CLASSES = ['2xx', '4xx', '5xx'] as const;
export type StatusClass = (typeof STATUS_CLASSES)[number];

/**
 * `refused` means all requests that were refused before admission, whatever their status, and
 * `failed` those that were admitted and then failed.
 */
export const REQUEST_STATUSES = ['refused', 'failed', ...STATUS_CLASSES] as const;
export type RequestStatus = (typeof REQUEST_STATUSES)[number];

/**
 * The statuses by which the list of admitted requests and that of refused ones are filtered. Empty:
 * any status. Null: the list has no such request.
 */
export type ListStatuses = Readonly<{
  admitted: readonly StatusClass[] | null;
  refused: readonly Exclude<StatusClass, '2xx'>[] | null;
}>;

export function statusesOf(chosen: readonly RequestStatus[]): ListStatuses {
  if (chosen.length === 0) return { admitted: [], refused: [] };
  const classes = chosen.filter((status) => status !== 'refused' && status !== 'failed');
  const failed = chosen.includes('failed') ? (['4xx', '5xx'] as const) : [];
  const admitted = [...new Set([...classes, ...failed])];
  // A request that succeeded was not refused, and the list of refused requests has no such filter.
  const ofRefusals = classes.filter((status) => status !== '2xx');
  const isAllRefused = chosen.includes('refused');
  return {
    admitted: admitted.length > 0 ? admitted : null,
    refused: isAllRefused ? [] : ofRefusals.length > 0 ? ofRefusals : null,
  };
}
