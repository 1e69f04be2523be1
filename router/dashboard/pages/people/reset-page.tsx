/** A forgotten password: the form that sends the link, and the form that the link opens. */
import { useLinkToken } from './link-token.ts';
import { AskForReset } from './ask-for-reset.tsx';
import { SetPassword } from './set-password.tsx';

export default function ResetPage() {
  const token = useLinkToken('/reset');
  return token === null ? <AskForReset /> : <SetPassword key={token} token={token} />;
}
