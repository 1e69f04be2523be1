import type { ErrorComponentProps } from '@tanstack/react-router';
import { TriangleAlert } from 'lucide-react';
import { Button } from '../parts/form/button.tsx';
import { ErrorDetails, MessagePage } from '../parts/message-page.tsx';

/**
 * Shown in place of a page that threw an error, perhaps because its files are from an older
 * version: trying again reloads the page.
 */
export function Broken({ error }: ErrorComponentProps) {
  return (
    <MessagePage
      icon={<TriangleAlert />}
      title="This page could not be shown"
      action={
        <Button look="primary" onClick={() => location.reload()}>
          Reload the page
        </Button>
      }
      below={<ErrorDetails error={error instanceof Error ? error : new Error(String(error))} />}
    >
      An error stopped it, or the dashboard was updated while it was open. If reloading does not
      help, contact support.
    </MessagePage>
  );
}
