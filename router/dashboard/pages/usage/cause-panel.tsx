import { Link } from '@tanstack/react-router';
import { PAGES } from '../../pages.ts';
import { Button } from '../../parts/button.tsx';
import { Panel } from '../../parts/page.tsx';
import { useOrganization, useWelcomeCredit } from '../../session.tsx';
import { explanationOf } from './explanations.ts';

type CausePanelProps = Readonly<{
  code: string;
  /** What the client was told. Null when only the code is stored. */
  message?: string | null;
}>;

/** Why a request was refused or failed, and what helps. Renders nothing for an unknown code. */
export function CausePanel({ code, message = null }: CausePanelProps) {
  const organization = useOrganization();
  const awaitsWelcome = useWelcomeCredit() !== null;
  const explanation = explanationOf(code, { awaitsWelcome, message });
  if (explanation === null && message === null) return null;
  return (
    <Panel title="Why, and what to do">
      <div className="grid gap-3 text-sm">
        {explanation && <p>{explanation.cause}</p>}
        {message !== null && (
          <p className="rounded-md bg-sunken px-3 py-2 break-words">
            <span className="text-muted">Error message: </span>
            {message}
          </p>
        )}
        {explanation && (
          <p>
            <span className="font-medium">What to do: </span>
            {explanation.cure}
          </p>
        )}
        {explanation && (
          <div className="flex flex-wrap gap-2">
            {explanation.page && (
              <Button asChild size="small">
                <Link to={PAGES[explanation.page].path} params={{ organization }}>
                  Go to {PAGES[explanation.page].title}
                </Link>
              </Button>
            )}
            <Button asChild size="small" look="ghost">
              <Link to="/docs/$page" params={{ page: 'errors' }} hash={code}>
                Read about {code}
              </Link>
            </Button>
          </div>
        )}
      </div>
    </Panel>
  );
}
