/**
 * The person for whom the examples are shown: their base URL and models take the place of those in
 * the text, and the page names the API key to use. Its value is known only to who created it.
 */
import { useQuery } from '@tanstack/react-query';
import { createContext, type ReactNode, use, useState } from 'react';
import type { Key } from '../../../../shared/api/keys.ts';
import { visitorQuery } from '../../api/me.ts';
import { keysQuery } from '../../api/keys.ts';
import type { Membership } from '../../api/me.ts';
import { modelsQuery, organizationQuery } from '../../api/organization.ts';
import { visitorsBaseUrl } from '../../service.ts';
import { lastOrganization } from '../../session.tsx';
import { NO_URL } from '../keys/snippets.ts';
import { EXAMPLES, type Examples } from './contents.ts';
import { examplesFor, usualKey } from './own-examples.ts';

export type Reader = Readonly<{
  /** Null for a visitor. */
  organization: Membership | null;
  baseUrl: string;
  /** The keys that are accepted now, and the one that the person has chosen among them. */
  keys: readonly Key[];
  key: Key | null;
  onChooseKey: (id: string) => void;
  examples: Examples;
}>;

const Current = createContext<Reader | null>(null);

export function useReader(): Reader {
  const reader = use(Current);
  if (reader === null) throw new Error('there is no reader here');
  return reader;
}

export function ReaderGiven({ children }: { children: ReactNode }) {
  const me = useQuery(visitorQuery).data ?? null;
  const organization = me && lastOrganization(me);
  const id = organization?.id ?? '';
  const enabled = organization !== null;
  const own = useQuery({ ...organizationQuery(id), enabled }).data;
  const models = useQuery({ ...modelsQuery(id), enabled }).data?.data ?? [];
  const listed = useQuery({ ...keysQuery(id), enabled }).data ?? [];
  const keys = listed.filter(({ state }) => state === 'active');
  const [chosen, setChosen] = useState<string | null>(null);
  const key = keys.find((one) => one.id === chosen) ?? usualKey(keys);
  const baseUrl = own ? (own.base_url ?? NO_URL) : (visitorsBaseUrl() ?? `${EXAMPLES.origin}/v1`);
  return (
    <Current
      value={{
        organization,
        baseUrl,
        keys,
        key,
        onChooseKey: setChosen,
        examples: examplesFor(key, { baseUrl, models }),
      }}
    >
      {children}
    </Current>
  );
}
