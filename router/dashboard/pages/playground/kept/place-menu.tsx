/** The choice of where the open chat is kept. */
import { Check, ChevronDown, Cloud, Monitor } from 'lucide-react';
import { cx } from '../../../parts/class-names.ts';
import { Button } from '../../../parts/form/button.tsx';
import { Menu, MenuItem, MenuLabel } from '../../../parts/menu.tsx';
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
  /** Nothing has been sent yet, so that nothing is kept. */
  isEmpty: boolean;
  mayUseAccount: boolean;
  disabled: boolean;
  /** Called with the other place. */
  onMove: (to: Place) => void;
}>;

export function PlaceMenu({
  place,
  isSaved,
  isEmpty,
  mayUseAccount,
  disabled,
  onMove,
}: PlaceProps) {
  const { icon: Icon } = PLACES[place];
  const trigger = (
    // Its icon is aligned with the title above it. The place of an empty chat stays free.
    <Button
      look="ghost"
      size="small"
      disabled={disabled}
      className={cx('-ml-2.5', isEmpty && 'invisible')}
    >
      <Icon /> {isSaved ? SAVED[place] : 'Not saved'} <ChevronDown />
    </Button>
  );
  return (
    <Menu trigger={trigger} align="start">
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
