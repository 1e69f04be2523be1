import { Download } from 'lucide-react';
import { Button } from './form/button.tsx';

type DownloadLinkProps = Readonly<{
  href: string;
  /** What the file has, for screen readers. */
  what: string;
  /** Tells the files apart if there are several, such as "by day". */
  name?: string;
  /** `medium`: beside the other controls of a page. */
  size?: 'small' | 'medium';
}>;

/**
 * A plain link, so that the browser itself downloads the file (with the session cookie) and writes
 * it to disk as it arrives.
 */
export function DownloadLink({ href, what, name, size = 'small' }: DownloadLinkProps) {
  return (
    <Button asChild size={size}>
      <a href={href} download>
        <Download />
        {name === undefined ? 'CSV' : `CSV ${name}`}
        <span className="sr-only"> of {what}</span>
      </a>
    </Button>
  );
}
