/** A person's account: name, sign-in methods, sessions and deletion. */
import { Page } from '../../parts/page.tsx';
import { DeletePanel } from './delete-panel.tsx';
import { DisplayPanel } from './display-panel.tsx';
import { NotificationsPanel } from './notifications-panel.tsx';
import { PasskeysPanel } from './passkeys-panel.tsx';
import { ProfilePanel } from './profile-panel.tsx';
import { SessionsPanel } from './sessions-panel.tsx';
import { SignInPanel } from './sign-in-panel.tsx';

export default function AccountPage() {
  return (
    <Page title="Account" description="Your profile, sign-in methods, sessions and emails.">
      <div className="grid grid-cols-[minmax(0,1fr)] gap-8">
        <ProfilePanel />
        <SignInPanel />
        <PasskeysPanel />
        <SessionsPanel />
        <NotificationsPanel />
        <DisplayPanel />
        <DeletePanel />
      </div>
    </Page>
  );
}
