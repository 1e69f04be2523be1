import { Panel } from '../../parts/page.tsx';
import { Section } from '../../parts/section.tsx';
import { EmailSetting } from './email-setting.tsx';
import { PasswordSetting } from './password-setting.tsx';
import { SecondFactorSetting } from './second-factor-setting.tsx';

export function SignInPanel() {
  return (
    <Section title="Sign-in" description="Your email, password and two-factor authentication.">
      <Panel flush>
        <div className="divide-y divide-line">
          <EmailSetting />
          <PasswordSetting />
          <SecondFactorSetting />
        </div>
      </Panel>
    </Section>
  );
}
