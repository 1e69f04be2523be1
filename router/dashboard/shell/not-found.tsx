/** An address that no page has, in the frame of the pages that anybody may see. */
import { useQuery } from '@tanstack/react-query';
import { Link, useLocation } from '@tanstack/react-router';
import { lazy } from 'react';
import { visitorQuery } from '../api/me.ts';
import { isOperatorPath } from '../pages.ts';
import { Button } from '../parts/form/button.tsx';
import { Page, Panel } from '../parts/page.tsx';
import { Empty } from '../parts/states.tsx';
import { OpenFrame } from './open-frame.tsx';

/** Only operators load its code. */
const UnknownAddress = lazy(() => import('../parts/unknown-item.tsx'));

export function NotFound() {
  const visitor = useQuery(visitorQuery).data;
  const { pathname } = useLocation();
  const isStranger = visitor === null;
  if (visitor?.operator === true && isOperatorPath(pathname)) {
    return (
      <OpenFrame>
        <UnknownAddress pathname={pathname} />
      </OpenFrame>
    );
  }
  return (
    <OpenFrame>
      <Page title="Not found">
        <Panel>
          <Empty title="This page does not exist" action={<Ways isStranger={isStranger} />}>
            Check the address. The item that it points to may have been deleted.
          </Empty>
        </Panel>
      </Page>
    </OpenFrame>
  );
}

function Ways({ isStranger }: { isStranger: boolean }) {
  return (
    <div className="flex flex-wrap justify-center gap-2">
      <Button asChild look="primary">
        <Link to="/">{isStranger ? 'Home page' : 'Go to the overview'}</Link>
      </Button>
      <Button asChild>
        <Link to="/docs">Docs</Link>
      </Button>
      {isStranger && (
        <Button asChild>
          <Link to="/sign-in" search={{}}>
            Sign in
          </Link>
        </Button>
      )}
    </div>
  );
}
