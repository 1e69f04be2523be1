/** The first rows of a long list, until its reader asks for all: what follows on the page stays in sight. */
import { useState } from 'react';

const SHOWN = 8;

type FirstRows<Row> = Readonly<{
  rows: readonly Row[];
  /** Null if all are shown. */
  onMore: (() => void) | null;
}>;

export function useFirstRows<Row>(all: readonly Row[]): FirstRows<Row> {
  const [isWhole, setWhole] = useState(false);
  if (isWhole || all.length <= SHOWN) return { rows: all, onMore: null };
  return { rows: all.slice(0, SHOWN), onMore: () => setWhole(true) };
}
