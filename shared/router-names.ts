/** The end of an id is random: routers that start at once have the same beginning. */
const ID_CHARS_SHOWN = 6;

/**
 * "gateway-1 · process 4711". A router that has not told its machine yet, which it does seconds after
 * its start, has the end of its id: "rtr_…8q2mzw".
 */
export function routerName({ id, host, pid }: NamedRouter): string {
  if (host === undefined || host === null) return `rtr_…${id.slice(-ID_CHARS_SHOWN)}`;
  return pid === undefined || pid === null ? host : `${host} · process ${pid}`;
}

/** `pid` is a number of the API, or a bigint of the store. */
type NamedRouter = Readonly<{
  id: string;
  host?: string | null | undefined;
  pid?: number | bigint | null | undefined;
}>;
