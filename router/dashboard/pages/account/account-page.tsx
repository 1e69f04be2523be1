/** What is somebody's own: their name, how they sign in, where they are signed in, and the end of it all. */
import { Page } from '../../parts/page.tsx';
import { DeletePanel } from './delete-panel.tsx';
import { ProfilePanel } from './profile-panel.tsx';
import { SessionsPanel } from './sessions-panel.tsx';
import { SignInPanel } from './sign-in-panel.tsx';

export default function AccountPage() {
  return (
    <Page title="Account" description="Yours, in whichever organizations you work.">
      <div className="grid max-w-3xl grid-cols-[minmax(0,1fr)] gap-6">
        <ProfilePanel />
        <SignInPanel />
        <SessionsPanel />
        <DeletePanel />
      </div>
    </Page>
  );
}
