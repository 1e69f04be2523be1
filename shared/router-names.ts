/** "gateway-1 · process 4711", or the id of a router that does not tell its machine. */
export function routerName({ id, host, pid }: NamedRouter): string {
  if (host === undefined || host === null) return id;
  return pid === undefined || pid === null ? host : `${host} · process ${pid}`;
}

/** `pid` is a number of the API, or a bigint of the store. */
type NamedRouter = Readonly<{
  id: string;
  host?: string | null | undefined;
  pid?: number | bigint | null | undefined;
}>;
