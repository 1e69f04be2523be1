/** A forgotten password: asking for the link, and what the link leads to. */
import { useLinkToken } from './link-token.ts';
import { AskForReset } from './ask-for-reset.tsx';
import { SetPassword } from './set-password.tsx';

export default function ResetPage() {
  const token = useLinkToken('/reset');
  return token === null ? <AskForReset /> : <SetPassword key={token} token={token} />;
}
