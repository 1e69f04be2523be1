/** The choice of where the open chat is kept. */
import { Check, Cloud, Monitor } from 'lucide-react';
import { Button } from '../../../parts/form/button.tsx';
import { Menu, MenuItem, MenuLabel } from '../../../parts/menu.tsx';
import { BAR_LABEL } from '../bar-label.ts';
import type { Place } from './chat-places.ts';

export const PLACES: Readonly<Record<Place, { name: string; icon: typeof Cloud }>> = {
  browser: { name: 'Only in this browser', icon: Monitor },
  account: { name: 'In your account', icon: Cloud },
};

const SAVED: Readonly<Record<Place, string>> = {
  browser: 'Saved in this browser',
  account: 'Saved in your account',
};

type PlaceProps = Readonly<{
  place: Place;
  /** Whether it is kept there as it is shown. */
  isSaved: boolean;
  mayUseAccount: boolean;
  disabled: boolean;
  /** Called with the other place. */
  onMove: (to: Place) => void;
}>;

export function PlaceMenu({ place, isSaved, mayUseAccount, disabled, onMove }: PlaceProps) {
  const { icon: Icon } = PLACES[place];
  const trigger = (
    <Button disabled={disabled}>
      <Icon /> <span className={BAR_LABEL}>{isSaved ? SAVED[place] : 'Not saved'}</span>
    </Button>
  );
  return (
    <Menu trigger={trigger}>
      <MenuLabel>Where this chat is kept</MenuLabel>
      {(['browser', 'account'] as const).map((one) => {
        const { name: label, icon: Of } = PLACES[one];
        return (
          <MenuItem
            key={one}
            disabled={one === 'account' && one !== place && !mayUseAccount}
            {...(one !== place && { onSelect: () => onMove(one) })}
          >
            <Of /> {label} {one === place && <Check aria-label="now" className="ml-auto" />}
          </MenuItem>
        );
      })}
      <MenuLabel>
        {mayUseAccount ? (
          <>
            Chats in your account are stored encrypted, <br />
            and open wherever you sign in. Only you see them. <br />
            Chats in this browser are never stored by the service.
          </>
        ) : (
          <>
            Chats of US and EU organizations are not stored <br />
            by the service, so they stay in this browser.
          </>
        )}
      </MenuLabel>
    </Menu>
  );
}
