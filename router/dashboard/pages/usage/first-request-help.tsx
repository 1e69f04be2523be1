/** What helps an organization that has no requests to have some. */
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { creditQuery } from '../../api/organization.ts';
import { useAwaitedWelcome } from '../../awaited-welcome.ts';
import { PAGES } from '../../pages.ts';
import { Button } from '../../parts/form/button.tsx';
import { useMay, useOrganization } from '../../session.tsx';
import { isUsedUp } from '../../shell/balance.ts';
import { CreditCure } from '../../shell/credit-cure.tsx';
import { useTooLittle } from '../../shell/use-too-little.ts';
import { useIsSuspended } from '../../suspension.ts';
import { RefusedUntilConfirmed } from '../people/refused-until-confirmed.tsx';
import { ResendConfirmation } from '../people/resend-confirmation.tsx';

/** What every request is refused for, whatever its key. */
type Lack = 'confirmation' | 'credit';

/** Null if requests are admitted, or the organization is suspended. Undefined until that is known. */
export function useLack(): Lack | null | undefined {
  const isSuspended = useIsSuspended();
  const awaitsWelcome = useAwaitedWelcome() !== null;
  const organization = useOrganization();
  const { isTooLittle } = useTooLittle(organization);
  const { data, isPending } = useQuery(creditQuery(organization));
  if (isPending) return undefined;
  if (isSuspended || data === undefined || !(isUsedUp(data) || isTooLittle)) {
    return null;
  }
  return awaitsWelcome ? 'confirmation' : 'credit';
}

type LackProps = Readonly<{ lack: ReturnType<typeof useLack> }>;

/** The action. A suspended organization is only shown its keys. */
export function FirstRequestHelp({ lack }: LackProps) {
  const organization = useOrganization();
  const isSuspended = useIsSuspended();
  const mayCreate = useMay('keys') && !isSuspended;
  // Its place stays empty: no other button takes the place of one that is being clicked.
  if (lack === undefined) return <div className="h-8.5 max-sm:h-11" />;
  if (lack === 'confirmation') return <ResendConfirmation />;
  if (lack === 'credit') return <CreditCure size="medium" />;
  return (
    <Button asChild>
      <Link to={PAGES.keys.path} params={{ organization }}>
        {mayCreate ? 'Create an API key' : 'See API keys'}
      </Link>
    </Button>
  );
}

/** Says what requests are refused for, or when they appear. */
export function FirstRequestText({ lack, children }: LackProps & { children: string }) {
  if (!lack) return children;
  if (lack === 'credit') return 'Requests are refused until credit is added.';
  return <RefusedUntilConfirmed />;
}
