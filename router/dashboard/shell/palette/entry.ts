import type { ReactNode } from 'react';
import type { Findable, Group } from './rank.ts';

/** Something that the palette finds. */
export type Entry = Findable &
  Readonly<{
    icon: ReactNode;
    /** What tells the entry apart from others of its name. */
    note?: string;
  }> &
  (
    | Readonly<{ open: () => void | Promise<void>; fills?: undefined }>
    /** The text that the entry writes into the field, so that a name can follow it. */
    | Readonly<{ fills: string; open?: undefined }>
  );

export type EntryGroup = Group<Entry>;
