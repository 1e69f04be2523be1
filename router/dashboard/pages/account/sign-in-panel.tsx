import { Panel } from '../../parts/page.tsx';
import { EmailSetting } from './email-setting.tsx';
import { PasswordSetting } from './password-setting.tsx';
import { SecondFactorSetting } from './second-factor-setting.tsx';

export function SignInPanel() {
  return (
    <Panel title="Sign-in" flush>
      <div className="divide-y divide-line border-t">
        <EmailSetting />
        <PasswordSetting />
        <SecondFactorSetting />
      </div>
    </Panel>
  );
}
