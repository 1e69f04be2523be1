import type { ReactNode } from 'react';
import type { Findable, Group } from './rank.ts';

/** Something that the palette finds and opens. */
export type Entry = Findable &
  Readonly<{
    icon: ReactNode;
    /** What tells the entry apart from others of its name. */
    note?: string;
    open: () => void | Promise<void>;
  }>;

export type EntryGroup = Group<Entry>;
