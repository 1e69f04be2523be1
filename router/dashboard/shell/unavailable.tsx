/** Stands in place of everything when it cannot be asked who is signed in. */
import type { ErrorComponentProps } from '@tanstack/react-router';
import { ApiError } from '../api/client.ts';
import { VisitorFrame } from '../pages/people/visitor-frame.tsx';
import { Button } from '../parts/form/button.tsx';
import { Fault } from '../parts/form/field.tsx';
import { Broken } from './broken.tsx';

const STORE =
  'The router does not reach its store, which has all accounts and settings. The dashboard works again once it does.';
const OTHERWISE =
  'The service does not answer as it should. The dashboard works again once it does.';

export function Unavailable(props: ErrorComponentProps) {
  const { error } = props;
  const isPassing = error instanceof ApiError && (error.status === 0 || error.status >= 500);
  if (!isPassing) return <Broken {...props} />;
  return (
    <VisitorFrame
      title="The dashboard is not available"
      description={error.code === 'store_unavailable' ? STORE : OTHERWISE}
    >
      <div className="grid justify-items-start gap-3">
        <Fault error={error} />
        <Button look="primary" onClick={() => location.reload()}>
          Try again
        </Button>
      </div>
    </VisitorFrame>
  );
}
