/** Stands in place of everything when it cannot be asked who is signed in. */
import { type ErrorComponentProps, Link } from '@tanstack/react-router';
import { ServerOff, WifiOff } from 'lucide-react';
import { ApiError } from '../api/client.ts';
import { Button } from '../parts/form/button.tsx';
import { ErrorDetails, MessagePage } from '../parts/message-page.tsx';
import { contactLink } from '../service.ts';
import { Broken } from './broken.tsx';
import { Mark } from './mark.tsx';

export function Unavailable(props: ErrorComponentProps) {
  const { error } = props;
  const isPassing = error instanceof ApiError && (error.status === 0 || error.status >= 500);
  if (!isPassing) return <Broken {...props} />;
  const isUnreached = error.status === 0;
  return (
    <div className="min-h-dvh bg-ground">
      <header className="border-b">
        <div className="mx-auto flex h-12 max-w-6xl items-center px-4 text-sm sm:px-8">
          <Link to="/" className="flex items-center gap-2.5 font-semibold">
            <Mark /> Penstock
          </Link>
        </div>
      </header>
      <main>
        <MessagePage
          icon={isUnreached ? <WifiOff /> : <ServerOff />}
          title={isUnreached ? 'The service cannot be reached' : 'The dashboard is unavailable'}
          action={
            <Button look="primary" onClick={() => location.reload()}>
              Try again
            </Button>
          }
          below={
            <>
              <Support />
              {!isUnreached && <ErrorDetails error={error} />}
            </>
          }
        >
          {wordsOf(error)}
        </MessagePage>
      </main>
    </div>
  );
}

function wordsOf({ status, code }: ApiError): string {
  if (status === 0) return 'Check your internet connection, then try again.';
  const cause =
    code === 'store_unavailable'
      ? 'The service cannot reach its database, so it cannot show your account.'
      : 'The service does not answer as it should.';
  return `${cause} Your account and settings are not changed. Try again in a minute.`;
}

/** Nothing if the service has no contact. */
function Support() {
  const contact = contactLink();
  if (contact === null) return null;
  return (
    <a href={contact} className="basis-full underline-offset-2 hover:text-ink hover:underline">
      Contact support
    </a>
  );
}
