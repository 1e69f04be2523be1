/** A table of a document. On a phone, its values stand below each other, after their columns' names. */
import { type ComponentProps, useEffect, useRef } from 'react';
import './stacked-table.css';

export function StackedTable(props: ComponentProps<'table'>) {
  const table = useRef<HTMLTableElement>(null);
  // The cells are made from Markdown, which does not name their columns.
  useEffect(() => {
    const names = [...(table.current?.tHead?.rows[0]?.cells ?? [])].map(
      ({ textContent }) => textContent ?? '',
    );
    for (const body of table.current?.tBodies ?? []) {
      for (const { cells } of body.rows) {
        for (const [index, cell] of [...cells].entries()) {
          cell.dataset['column'] = names[index] ?? '';
        }
      }
    }
  }, []);
  return (
    <div role="region" aria-label="Table" tabIndex={0} className="relative overflow-x-auto">
      <table {...props} ref={table} className="stacked" />
    </div>
  );
}
