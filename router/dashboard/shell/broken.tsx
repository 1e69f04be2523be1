import type { ErrorComponentProps } from '@tanstack/react-router';
import { Link } from '@tanstack/react-router';
import { Button } from '../parts/button.tsx';
import { Page, Panel } from '../parts/page.tsx';
import { Empty, Failed } from '../parts/states.tsx';

/**
 * Shown in place of a page that threw an error, perhaps because its files are from an older
 * version: trying again reloads the page.
 */
export function Broken({ error }: ErrorComponentProps) {
  return (
    <Page title="Something went wrong">
      <Panel flush>
        <Failed
          error={error instanceof Error ? error : new Error(String(error))}
          onRetry={() => location.reload()}
        />
      </Panel>
    </Page>
  );
}

export function NotFound() {
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
