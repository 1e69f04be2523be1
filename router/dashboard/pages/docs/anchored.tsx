/** How the headings and the tables of a page that is made from Markdown are shown. */
import type { ComponentProps } from 'react';

export const ANCHORED = {
  h2: (props: ComponentProps<'h2'>) => <Heading of="h2" {...props} />,
  h3: (props: ComponentProps<'h3'>) => <Heading of="h3" {...props} />,
  table: (props: ComponentProps<'table'>) => (
    <div role="region" aria-label="Table" tabIndex={0} className="overflow-x-auto">
      <table {...props} />
    </div>
  ),
};

function Heading({ of: Tag, id, children, ...rest }: ComponentProps<'h2'> & { of: 'h2' | 'h3' }) {
  return (
    <Tag id={id} {...rest}>
      <a href={`#${id}`}>{children}</a>
    </Tag>
  );
}
