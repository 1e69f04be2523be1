/** The flags that name a store: the data folder of `penstock up`, or a URL. */
import { join } from 'node:path';
import { StoreUrl } from '../router/store/store-url.ts';
import { Path } from './flags.ts';

export const STORE_FLAGS = { data: Path.optional(), store: StoreUrl.optional() };

type Given = Readonly<{ data?: string | undefined; store?: string | undefined }>;

const FAULT = { path: ['data'], error: 'and --store exclude each other' };

/** The arguments of `refine`, for a schema with these flags. */
export const NOT_BOTH = [
  ({ data, store }: Given): boolean => data === undefined || store === undefined,
  FAULT,
] as const;

export function storeUrlOf({ data = '.penstock', store }: Given): string {
  return store ?? `sqlite:${join(data, 'penstock.db')}`;
}
