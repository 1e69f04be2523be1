import type { ReactNode } from 'react';
import { Button } from '../form/button.tsx';
import { Fault } from '../form/field.tsx';
import { Loaded } from '../states.tsx';
import { IsEarlier } from './table.tsx';

/** An infinite query, or several that are shown as one list. */
export type List<Row> = Readonly<{
  data: readonly Row[] | undefined;
  /** Whether the rows are those of an earlier search or filter, while the asked ones are read. */
  isPlaceholderData?: boolean;
  error: Error | null;
  refetch: () => Promise<unknown>;
  hasNextPage: boolean;
  isFetchingNextPage: boolean;
  isFetchNextPageError: boolean;
  fetchNextPage: () => Promise<unknown>;
}>;

type LoadedListProps<Row> = Readonly<{
  list: List<Row>;
  /** Shown in place of the rows when there are none. */
  empty?: ReactNode;
  children: (rows: readonly Row[]) => ReactNode;
}>;

/**
 * Renders the states of a list that loads page by page, and the button for its next page. A table of
 * earlier rows is greyed until the asked ones are read.
 */
export function LoadedList<Row>({ list, empty, children }: LoadedListProps<Row>) {
  return (
    <>
      <IsEarlier value={list.isPlaceholderData === true}>
        <Loaded query={list}>{(rows) => (rows.length === 0 ? empty : children(rows))}</Loaded>
      </IsEarlier>
      <More list={list} />
    </>
  );
}

/** The button that loads the next page of a list. Renders nothing after the last page. */
function More({ list }: { list: List<unknown> }) {
  if (!list.hasNextPage) return null;
  return (
    <ShowMore busy={list.isFetchingNextPage} onMore={() => void list.fetchNextPage()}>
      {list.isFetchNextPageError && <Fault error={list.error} />}
    </ShowMore>
  );
}

type ShowMoreProps = Readonly<{
  name?: string;
  busy?: boolean;
  onMore: () => void;
  children?: ReactNode;
}>;

/** The button below a list of which only the first part is shown. */
export function ShowMore({ name = 'Show more', busy = false, onMore, children }: ShowMoreProps) {
  return (
    <div className="grid justify-items-start gap-2 border-t px-5 py-3">
      <Button size="small" busy={busy} onClick={onMore}>
        {busy ? 'Loading…' : name}
      </Button>
      {children}
    </div>
  );
}
