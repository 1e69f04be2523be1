/** An address that no page has, in the frame of the pages that anybody may see. */
import { Link } from '@tanstack/react-router';
import { Button } from '../parts/button.tsx';
import { Page, Panel } from '../parts/page.tsx';
import { Empty } from '../parts/states.tsx';
import { OpenFrame } from './open-frame.tsx';

export function NotFound() {
  return (
    <OpenFrame>
      <Unknown />
    </OpenFrame>
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
