/** An address that no page has, in the frame of the pages that anybody may see. */
import { useQuery } from '@tanstack/react-query';
import { Link, useLocation } from '@tanstack/react-router';
import { SearchX } from 'lucide-react';
import { lazy } from 'react';
import { visitorQuery } from '../api/me.ts';
import { areModelsPublic } from '../api/public-figures.ts';
import { isOperatorPath } from '../pages.ts';
import { Button } from '../parts/form/button.tsx';
import { MessagePage } from '../parts/message-page.tsx';
import { OpenFrame } from './open-frame.tsx';

/** Only operators load its code. */
const UnknownAddress = lazy(() => import('../parts/unknown-item.tsx'));

export function NotFound() {
  const visitor = useQuery(visitorQuery).data;
  const { pathname } = useLocation();
  if (visitor?.operator === true && isOperatorPath(pathname)) {
    return (
      <OpenFrame>
        <UnknownAddress pathname={pathname} />
      </OpenFrame>
    );
  }
  const isStranger = visitor === null;
  return (
    <OpenFrame>
      <MessagePage
        icon={<SearchX />}
        title="This page does not exist"
        action={
          <Button asChild look="primary">
            <Link to="/">{isStranger ? 'Go to the home page' : 'Go to the overview'}</Link>
          </Button>
        }
        below={<Ways isStranger={isStranger} />}
      >
        The address may be misspelled, or what it showed was deleted.
      </MessagePage>
    </OpenFrame>
  );
}

const WAY = 'underline-offset-2 hover:text-ink hover:underline max-sm:py-2';

/** Other places where the reader may find what they looked for. */
function Ways({ isStranger }: { isStranger: boolean }) {
  return (
    <>
      <Link to="/docs" className={WAY}>
        Docs
      </Link>
      {(!isStranger || areModelsPublic()) && (
        <Link to="/status" className={WAY}>
          Status
        </Link>
      )}
      {isStranger && (
        <Link to="/sign-in" search={{}} className={WAY}>
          Sign in
        </Link>
      )}
    </>
  );
}
