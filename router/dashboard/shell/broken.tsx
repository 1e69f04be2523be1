import type { ErrorComponentProps } from '@tanstack/react-router';
import { Page, Panel } from '../parts/page.tsx';
import { Failed } from '../parts/states.tsx';

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
