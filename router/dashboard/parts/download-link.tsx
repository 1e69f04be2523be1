import { Download } from 'lucide-react';
import { Button } from './button.tsx';

/**
 * A plain link, so that the browser itself downloads the file (with the session cookie) and writes
 * it to disk as it arrives.
 */
export function DownloadLink({ href, what }: { href: string; what: string }) {
  return (
    <Button asChild size="small">
      <a href={href} download>
        <Download />
        CSV
        <span className="sr-only"> of {what}</span>
      </a>
    </Button>
  );
}
