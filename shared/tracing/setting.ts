/** Where a router or an agent sends its spans: a setting of both. */
import { z } from 'zod';

const HEADER_NAME = /^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,256}$/;
const HEADER_VALUE = /^[\x20-\x7e]{0,4096}$/;

/** As the URL is used: `http:///user:password@host` has credentials as well. */
function hasNoCredentials(text: string): boolean {
  const url = URL.parse(text);
  return !url?.username && !url?.password;
}

/** What is not set comes from the variables `OTEL_EXPORTER_OTLP_…` of the environment. */
export const OtlpSetting = z.strictObject({
  /**
   * The URL of an OTLP receiver over HTTP, such as http://127.0.0.1:4318. `/v1/traces` is added
   * unless the URL has a path.
   */
  endpoint: z
    .url({ protocol: /^https?$/ })
    .refine(hasNoCredentials, 'must not contain credentials: use headers')
    .optional(),
  /** Headers of the requests to the receiver, such as its API key. */
  headers: z
    .record(
      z.string().regex(HEADER_NAME, 'must be the name of a header'),
      z.string().regex(HEADER_VALUE, 'must be the value of a header'),
    )
    .optional(),
});
export type OtlpSetting = z.infer<typeof OtlpSetting>;

const SIGNAL_PATH = '/v1/traces';

/** The URL of the receiver. Undefined leaves it to the environment. */
export function receiverUrl({ endpoint }: OtlpSetting): string | undefined {
  if (endpoint === undefined) return undefined;
  const url = new URL(endpoint);
  if (url.pathname === '/') url.pathname = SIGNAL_PATH;
  return url.href;
}
