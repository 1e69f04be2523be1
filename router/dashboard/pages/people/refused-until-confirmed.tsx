import { useMay } from '../../session.tsx';

/** Told where an organization waits for its welcome credit (see `useAwaitedWelcome`). */
export function RefusedUntilConfirmed() {
  const mayBill = useMay('billing');
  return <>Requests are refused until you confirm your email{mayBill && ' or add credit'}.</>;
}
