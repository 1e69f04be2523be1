/**
 * The reference of the management API, made from the description that the router serves. Each group
 * of operations has a page, and each operation a place in it, which the address names.
 */
import { useQuery } from '@tanstack/react-query';
import { Navigate, useLocation, useParams, useSearch } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { visitorQuery } from '../../api/me.ts';
import { searchWords } from '../../format/search-words.ts';
import { useTitle } from '../../parts/page.tsx';
import { Loaded } from '../../parts/states.tsx';
import { lastOrganization } from '../../session.tsx';
import { NotFound } from '../../shell/not-found.tsx';
import { DocsLayout } from '../docs/docs-layout.tsx';
import { OnThisPage } from '../docs/on-this-page.tsx';
import { ScrollToHash } from '../docs/scroll-to-hash.tsx';
import { openApiQuery } from './document.ts';
import { Filter } from './filter.tsx';
import { found } from './find.ts';
import { FoundOperations } from './found-operations.tsx';
import { GroupList } from './group-list.tsx';
import { GroupPage } from './group-page.tsx';
import { GROUPS, OPERATOR_GROUPS } from './groups.ts';
import { Introduction } from './introduction.tsx';
import { TOPICS } from './topics.ts';
import { operationsOf } from './operations.ts';

/** Stands for the organization of a reader who has none. */
const NO_ORGANIZATION = 'ORGANIZATION_ID';

export default function ApiPage() {
  const { group: slug } = useParams({ strict: false });
  const showsOperators = useShowsOperators();
  const me = useQuery(visitorQuery).data ?? null;
  const [filter, setFilter] = useState('');
  const document = useQuery(openApiQuery);
  const operations = useMemo(
    () => (document.data ? operationsOf(document.data, showsOperators) : []),
    [document.data, showsOperators],
  );
  const groups = showsOperators ? [...GROUPS, ...OPERATOR_GROUPS] : GROUPS;
  const group = groups.find((one) => one.slug === slug);
  useTitle(group ? `${group.name} · Management API` : 'Management API');
  if (slug !== undefined && !group) return <NotFound />;
  const words = searchWords(filter);
  const caller = {
    origin: location.origin,
    organization: (me && lastOrganization(me)?.id) ?? NO_ORGANIZATION,
  };
  const close = () => setFilter('');
  return (
    <DocsLayout
      area="api"
      search={<Filter value={filter} onChange={setFilter} />}
      listName="All groups"
      aside={group === undefined && words.length === 0 && <OnThisPage headings={TOPICS} />}
      list={
        <GroupList
          groups={groups}
          shown={group}
          operations={operations}
          isSearching={words.length > 0}
          onOpen={close}
        />
      }
    >
      <Loaded query={document}>
        {(loaded) =>
          words.length > 0 ? (
            <FoundOperations
              operations={found(operations, words)}
              words={words}
              groups={groups}
              onOpen={close}
            />
          ) : (
            <>
              {group ? (
                <GroupPage
                  key={group.slug}
                  group={group}
                  operations={operations.filter((one) => one.group === group)}
                  document={loaded}
                  caller={caller}
                  showsOperators={showsOperators}
                />
              ) : (
                <>
                  <ToOperation operations={operations} />
                  <Introduction
                    document={loaded}
                    caller={caller}
                    me={me}
                    groups={groups}
                    showsOperators={showsOperators}
                  />
                </>
              )}
              <ScrollToHash key={group?.slug} />
            </>
          )
        }
      </Loaded>
    </DocsLayout>
  );
}

/** Operators see their operations, and so does whoever adds `?operators` to the address. */
function useShowsOperators(): boolean {
  const me = useQuery(visitorQuery).data;
  const { operators } = useSearch({ strict: false });
  return me?.operator === true || operators === true;
}

/** An address may name an operation without its group, as those of earlier versions do. */
function ToOperation({ operations }: { operations: ReturnType<typeof operationsOf> }) {
  const hash = useLocation({ select: (at) => at.hash });
  const id = hash.split('/').at(-1);
  const named = operations.find((one) => one.id === id);
  if (!named) return null;
  return (
    <Navigate
      to="/docs/api/$group"
      params={{ group: named.group.slug }}
      hash={named.id}
      search
      replace
    />
  );
}
