/**
 * The statuses that the two lists of the Logs page are filtered by. Empty: any status. Null: the
 * list is not shown.
 */
export type ListStatuses = Readonly<{
  admitted: readonly string[] | null;
  refused: readonly string[] | null;
}>;

/** `refused` means all requests that were refused before admission, whatever their status. */
export function statusesOf(chosen: readonly string[]): ListStatuses {
  if (chosen.length === 0) return { admitted: [], refused: [] };
  const admitted = chosen.filter((status) => status !== 'refused');
  // A request that succeeded was not refused, and the API has no such filter.
  const ofRefusals = admitted.filter((status) => status !== '2xx');
  const isAllRefused = chosen.includes('refused');
  return {
    admitted: admitted.length > 0 ? admitted : null,
    refused: isAllRefused ? [] : ofRefusals.length > 0 ? ofRefusals : null,
  };
}
