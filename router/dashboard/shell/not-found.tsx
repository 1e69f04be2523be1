/** An address that no page has: with the navigation for people who are signed in. */
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Suspense } from 'react';
import { visitorQuery } from '../api/me.ts';
import { Button } from '../parts/button.tsx';
import { Page, Panel } from '../parts/page.tsx';
import { Empty } from '../parts/states.tsx';
import { Frame } from './frame.tsx';

export function NotFound() {
  const { data: me, isPending } = useQuery(visitorQuery);
  if (isPending) return null;
  return me ? (
    <Suspense fallback={null}>
      <Frame>
        <Unknown />
      </Frame>
    </Suspense>
  ) : (
    <Unknown />
  );
}

function Unknown() {
  return (
    <Page title="Not found">
      <Panel>
        <Empty
          title="This page does not exist"
          action={
            <Button asChild>
              <Link to="/">Go to the overview</Link>
            </Button>
          }
        >
          Check the address. The item that it points to may have been deleted.
        </Empty>
      </Panel>
    </Page>
  );
}
