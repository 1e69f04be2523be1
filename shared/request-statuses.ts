/** The statuses by which requests are filtered, whether they were admitted or refused before. */
export const STATUS_CLASSES = ['2xx', '4xx', '5xx'] as const;
export type StatusClass = (typeof STATUS_CLASSES)[number];

/** `refused` means all requests that were refused before admission, whatever their status. */
export const REQUEST_STATUSES = ['refused', ...STATUS_CLASSES] as const;
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
  const admitted = chosen.filter((status) => status !== 'refused');
  // A request that succeeded was not refused, and the list of refused requests has no such filter.
  const ofRefusals = admitted.filter((status) => status !== '2xx');
  const isAllRefused = chosen.includes('refused');
  return {
    admitted: admitted.length > 0 ? admitted : null,
    refused: isAllRefused ? [] : ofRefusals.length > 0 ? ofRefusals : null,
  };
}
